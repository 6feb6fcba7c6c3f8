"""What the bottom line says of the engine: words that leave, and a conversation that is being read."""

from assistant.tui.widgets.status_line import Status, status_words


def test_a_remote_server_is_always_said_even_on_a_short_line() -> None:
    status = Status(
        model="smoke", remote=True, notice="something long about the embedding model", lock_in=300
    )
    assert status_words(status, 100)[1].endswith("remote server")
    assert status_words(status, 30)[1] == "remote server"


def test_reading_ahead_is_shown_while_it_lasts() -> None:
    assert "reading 25%" in status_words(Status(model="smoke", reading=(500, 2000)), 80)[1]
    assert "reading" not in status_words(Status(model="smoke"), 80)[1]
