"""An episode does not bring an old value back: it leaves prompts and recall with the fact, and returns with it."""

from talk_builders import Chat, count

from memory.records import ItemState


def opening(chat: Chat, words: str = "Good morning") -> str:
    turn = chat.memory.begin_turn(words)
    return chat.memory.assemble(turn, chat.memory.recall(turn), count, 0, 8192).messages[0].text


def told(chat: Chat) -> str:
    first, _ = chat.turn("My dog is called Biscuit and I'm allergic to peanuts")
    chat.memory.close_episode(first.conversation)
    return first.conversation


def states(chat: Chat) -> list[str]:
    return [
        row[0] for row in chat.core.db.execute("SELECT state FROM item WHERE kind = 'episode'").fetchall()
    ]


def test_an_episode_opens_the_next_conversation() -> None:
    chat = Chat()
    told(chat)
    assert "Biscuit" in opening(chat)


def test_an_episode_that_tells_a_closed_value_is_not_sent_any_more() -> None:
    chat = Chat()
    conversation = told(chat)
    chat.turn("Actually, he's called Waffle", conversation=conversation)
    assert states(chat) == [ItemState.OUTDATED]
    prompt = opening(chat, "What is my dog called?")
    assert "Biscuit" not in prompt


def test_an_episode_closed_after_the_change_is_settled_at_once() -> None:
    chat = Chat()
    first, _ = chat.turn("My dog is called Biscuit and I'm allergic to peanuts")
    chat.turn("Actually, he's called Waffle")
    chat.memory.close_episode(first.conversation)
    assert "Biscuit" not in opening(chat)


def test_undoing_the_change_brings_the_episode_back() -> None:
    chat = Chat()
    conversation = told(chat)
    turn, _ = chat.turn("Actually, he's called Waffle", conversation=conversation)
    chat.memory.undo(turn.decided[0].journal)
    assert states(chat) == [ItemState.ACTIVE]
    assert "Biscuit" in opening(chat)
