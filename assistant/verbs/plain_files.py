"""/attach, /export and /import of the plain chat: the same looks and the same yes as on the screen, in lines."""

from __future__ import annotations

import time
from collections.abc import Callable

from assistant.carrying import (
    OPENS_WITH,
    Tell,
    check_encrypted,
    how_far,
    is_own,
    path_of,
    remark_lines,
    report_lines,
    target_refusal,
)
from assistant.chat.attached import read_attached
from assistant.verbs.plain_talk import Talk, in_thread
from assistant.verbs.transfer import archive_passphrase
from assistant.visible import echo
from memory.errors import BadInput

NOT_YET = "Nothing has been changed yet."
EVERY_SECONDS = 5.0


async def attach(talk: Talk, typed: str) -> None:
    """Take a text file along with the next message."""
    window = talk.locket.status.window
    file = await in_thread(lambda: read_attached(typed, window))
    talk.attached.append(file)
    echo(
        f"({file.name} goes along with your next message: {len(file.text):,} characters."
        " Nothing in it is remembered as yours.)"
    )


async def export(talk: Talk, typed: str) -> None:
    """Write everything to an encrypted file."""
    named = typed or await talk.ask("Which file?")
    if not named:
        echo("(nothing was written)")
        return
    file = path_of(named)
    if refusal := await in_thread(lambda: target_refusal(file)):
        raise BadInput(refusal)
    if await in_thread(file.exists) and not await talk.agrees(f"{file} is there already. Write over it?"):
        echo("(nothing was written)")
        return
    passphrase = await in_thread(lambda: archive_passphrase(new=True))
    manifest = await talk.locket.export_file(file, passphrase, "all", now_and_then("written"))
    size = (await in_thread(file.stat)).st_size
    echo(f"{file}: {manifest.total:,} records, {size:,} bytes.")
    echo(OPENS_WITH)


async def take_in(talk: Talk, typed: str) -> None:
    """Look at a file, ask, and take it in."""
    if talk.incognito:
        echo("Nothing is written beside an incognito conversation. End it first (/new).")
        return
    named = typed or await talk.ask("Which file?")
    file = path_of(named)
    if not named or not await in_thread(file.exists):
        raise BadInput(f"there is no {file}" if named else "no file was named")
    passphrase = None
    if await in_thread(lambda: is_own(file)):
        await in_thread(lambda: check_encrypted(file))
        passphrase = await in_thread(archive_passphrase)
    seen = await talk.locket.import_file(
        file, passphrase, now_and_then("looked at"), trust=False, dry_run=True
    )
    for line in [*report_lines(seen), *remark_lines(seen), NOT_YET]:
        echo(line)
    question = "Take it in? (y/n)"
    if passphrase is None:
        question = "Take it in? (y: its memories wait in Review; t: recall them at once; n)"
    answer = (await talk.ask(question)).casefold()
    trust = answer in ("t", "trust") and passphrase is None
    if answer in ("y", "yes") or trust:
        report = await talk.locket.import_file(
            file, passphrase, now_and_then("taken in"), trust=trust, dry_run=False
        )
        for line in report_lines(report):
            echo(line)
        echo("(imported)")
    else:
        echo("(nothing was imported)")


def now_and_then(done_with: str, clock: Callable[[], float] = time.monotonic) -> Tell:
    """Say how far it is in a line every few seconds: no bar, and nothing for what is over at once."""
    told = clock()

    def tell(done: int, total: int) -> None:
        nonlocal told
        if clock() - told >= EVERY_SECONDS:
            told = clock()
            echo(f"({how_far(done, total)} {done_with})")

    return tell
