"""Three themes: dark, light, and one of strong contrast. Nothing else in the program names a colour."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="locket-dark",
    primary="#82aad0",
    secondary="#9a8fc4",
    accent="#dcab6b",
    warning="#dcab6b",
    error="#d9766d",
    success="#93b87a",
    foreground="#d5d8de",
    background="#15171c",
    surface="#1a1d23",
    panel="#242830",
    dark=True,
    variables={
        "muted": "#8b919e",
        "faint": "#4a505c",
        "border-blurred": "#353a45",
        "footer-key-foreground": "#82aad0",
        "block-cursor-text-style": "none",
    },
)

LIGHT = Theme(
    name="locket-light",
    primary="#2c5f8a",
    secondary="#5d4f96",
    accent="#95590c",
    warning="#95590c",
    error="#ab2f26",
    success="#3d6b22",
    foreground="#26282d",
    background="#fbfaf7",
    surface="#f4f2ed",
    panel="#e7e4dc",
    dark=False,
    variables={
        "muted": "#6b6d72",
        "faint": "#b3afa5",
        "border-blurred": "#c9c5ba",
        "block-cursor-text-style": "none",
    },
)

CONTRAST = Theme(
    name="locket-contrast",
    primary="#5cd6ff",
    secondary="#ffb3ff",
    accent="#ffff00",
    warning="#ffff00",
    error="#ff6b6b",
    success="#66ff66",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    dark=True,
    text_alpha=1.0,
    variables={"border-blurred": "#ffffff", "muted": "#e6e6e6", "faint": "#b0b0b0"},
)

THEMES = (DARK, LIGHT, CONTRAST)


def next_theme(name: str) -> str:
    """Name the theme after this one."""
    names = [theme.name for theme in THEMES]
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]
