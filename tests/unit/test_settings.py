"""Settings: their order, their words, and what happens to a wrong one."""

from pathlib import Path

import pytest

from assistant.settings import CHOICES, Settings, SettingsError, load_settings, write_setting
from assistant.tui.themes import THEMES


def home(tmp_path: Path, toml: str = "") -> dict[str, str]:
    (tmp_path / "config.toml").write_text(toml, encoding="utf-8")
    return {"LOCKET_HOME": str(tmp_path)}


def test_flags_win_over_the_environment_which_wins_over_the_file(tmp_path: Path) -> None:
    env = home(tmp_path, 'model = "from file"\nwindow = 8192\nprofile = "work"')
    assert load_settings(env).model == "from file"
    env["LOCKET_MODEL"] = "from environment"
    assert load_settings(env).model == "from environment"
    settings = load_settings(env, {"model": "from flag", "profile": None})
    assert settings.model == "from flag"
    assert settings.profile == "work"
    assert settings.window == 8192


def test_an_unknown_key_names_the_nearest_known_one(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"'lock_minuts'.*'lock_minutes'"):
        load_settings(home(tmp_path, "lock_minuts = 3"))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("window = 1000", "between 4096 and"),
        ('window = "many"', "a whole number"),
        ("remember = 3", "true or false"),
        ('model_memories = "always"', "one of auto, review, keep"),
        ("keymap = 3", "a table of texts"),
        ("window = [", "not valid TOML"),
        ("seed = -2", "between -1 and"),
        ("seed = 4294967295", "between -1 and"),
        ("temperature = nan", "between 0 and 2"),
        ('theme = "pink"', "one of locket-dark"),
        ('remote_url = "box.lan:8080"', "not a web address"),
        ('remote_url = "http://box.lan/a b"', "not a web address"),
        ('remote_url = "http://box.lan/v1?key=1"', "not a web address"),
        ('remote_url = "http://me:secret@box.lan"', "remote-key"),
    ],
)
def test_a_value_that_cannot_be_taken_is_refused_with_words(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        load_settings(home(tmp_path, line))


def test_the_clock_can_be_fixed_and_a_wrong_time_is_refused(tmp_path: Path) -> None:
    env = home(tmp_path) | {"LOCKET_NOW": "2026-03-01T08:00:00+01:00"}
    now = load_settings(env).now
    assert now is not None
    assert now.isoformat() == "2026-03-01T08:00:00+01:00"
    with pytest.raises(SettingsError, match="ISO 8601"):
        load_settings(env | {"LOCKET_NOW": "noon"})


def test_writing_a_setting_keeps_comments_and_the_other_keys(tmp_path: Path) -> None:
    env = home(tmp_path, "# mine\nwindow = 8192\n")
    write_setting(tmp_path / "config.toml", "model", "other")
    settings = load_settings(env)
    assert (settings.model, settings.window) == ("other", 8192)
    assert (tmp_path / "config.toml").read_text(encoding="utf-8").startswith("# mine\n")


def test_a_wrong_address_is_not_repeated_since_it_may_hold_a_password(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as refused:
        load_settings(home(tmp_path, 'remote_url = "http://me:canary@box.lan"'))
    assert "canary" not in str(refused.value)


def test_every_theme_there_is_can_be_set() -> None:
    assert CHOICES["theme"] == tuple(theme.name for theme in THEMES)


def test_writing_a_setting_through_a_link_leaves_the_link(tmp_path: Path) -> None:
    """Whoever keeps all settings in one place would find an old copy there."""
    kept = tmp_path / "kept.toml"
    kept.write_text("window = 8192\n", encoding="utf-8")
    (tmp_path / "config.toml").symlink_to(kept)
    write_setting(tmp_path / "config.toml", "model", "other")
    assert (tmp_path / "config.toml").is_symlink()
    assert load_settings({"LOCKET_HOME": str(tmp_path)}).model == "other"
    assert "other" in kept.read_text(encoding="utf-8")


def test_every_setting_but_the_internal_ones_can_stand_in_the_file(tmp_path: Path) -> None:
    plain = Settings(load_settings(home(tmp_path)).paths)
    lines = []
    for name in ("window", "max_answer", "temperature", "seed", "remember", "theme", "persona"):
        value = getattr(plain, name)
        lines.append(f"{name} = {str(value).lower() if isinstance(value, bool) else repr(value)}")
    assert load_settings(home(tmp_path, "\n".join(lines).replace("'", '"'))) == plain
