"""A conversation as one text: Markdown for people, JSON with every branch for programs. Pure.

One surprise: a copy in clear shows secrets masked, as every copy in clear does; an encrypted one shows what was said.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from assistant.cli import FORMAT
from assistant.verbs.shapes import conversation_json, message_json
from memory.records import Conversation, Message, Role
from memory.secrets import mask

Form = Literal["markdown", "json"]


def conversation_text(
    conversation: Conversation, messages: Sequence[Message], form: Form, *, masked: bool
) -> str:
    """Return the text of a conversation."""
    said = [replace(one, text=one.safe_text) if masked else one for one in messages]
    if masked:
        conversation = replace(conversation, title=mask(conversation.title) or conversation.title)
    if form == "json":
        whole = {
            "format": FORMAT,
            **conversation_json(conversation),
            "messages": [message_json(one) for one in said],
        }
        return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"
    parts = [f"# {conversation.title}"]
    for one in said:
        who = "You" if one.role is Role.USER else "Locket"
        parts.append(f"**{who}** · {one.said_at.astimezone():%Y-%m-%d %H:%M}\n\n{one.text}")
    return "\n\n".join(parts) + "\n"
