"""The front door of memory: one profile's memory in an open store, as the assistant uses it.

Every method is one act; each opens its own transaction or none. What happens inside is in the module the
method names. Reading for screens and verbs is ``reader.Reader``.
More than 300 lines: one door, and each method no longer than what it names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from memory import (
    acts,
    answering,
    boundaries,
    branches,
    goldens,
    idle,
    persona,
    profiles,
    prompt,
    reviewing,
    ruling,
    saying,
    window,
)
from memory.budget import BudgetSettings
from memory.considering import would_remember
from memory.core import Core
from memory.errors import BadInput
from memory.forget import ForgetPlan, Forgetting, Outcome, Seal, Selection, list_sealed, preview, redaction
from memory.forgetting.applying import Progress, silent
from memory.ports import CountTokens, Distiller, Embedder
from memory.reader import Reader
from memory.recalling import question, recall_from
from memory.records import (
    AssembledPrompt,
    Decided,
    Episode,
    Fact,
    Message,
    Recall,
    Role,
    Rule,
    Turn,
    Usage,
    WorkingState,
)
from memory.retrieval import vectors
from memory.retrieval.reembedding import Filling, Kept, drop_kept, find_filling
from memory.retrieval.search import Found, search
from memory.standing import Standing, is_crowded, keep_standing, standing_prompt
from memory.store import conversations, drafts, messages, tombstones, working_states
from memory.store import settings as vault_settings
from memory.store.stored import Certificate, Profile, Tombstone
from memory.store.undo import Undone, undo
from memory.working import checked

if TYPE_CHECKING:
    from memory.incognito import Incognito
    from memory.prompt_request import PromptRequest

T = TypeVar("T")

EMBED_AT_ONCE = 16


class Memory:
    """What Locket remembers for one profile; used from one thread."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._requests: dict[str, PromptRequest] = {}
        self._forgetting = Forgetting(core)
        if core.embedder is not None:
            self.use_embedder(core.embedder)

    @property
    def profile(self) -> str:
        """Whose memory this is."""
        return self._core.profile

    @property
    def reader(self) -> Reader:
        """The read side, on the same connection."""
        return Reader(self._core.db, self._core.profile)

    # one message -----------------------------------------------------------------------------------

    def begin_turn(
        self,
        text: str,
        *,
        conversation: str | None = None,
        pasted: tuple[tuple[int, int], ...] = (),
        parent: str | None = None,
        instead_of: str | None = None,
    ) -> Turn:
        """Commit the user's words, with what the rules found in them.

        Below ``parent``, or in the place of ``instead_of``, they begin a branch.
        """
        return saying.begin_turn(
            self._core,
            text,
            conversation=conversation,
            pasted=pasted,
            parent=parent,
            instead_of=instead_of,
        )

    def turn_again(self, conversation: str) -> Turn:
        """Return the last user message as a turn to be answered again; the old answer stays as a branch."""
        core = self._core
        leaf = conversations.get_conversation(core.db, core.profile, conversation).leaf
        for message in reversed(messages.path(core.db, core.profile, leaf)):
            if message.role is Role.USER:
                return Turn(conversation, message)
        raise BadInput("there is nothing to answer in this conversation yet")

    def recall(self, turn: Turn, count: CountTokens | None = None) -> Recall:
        """Find what belongs in this turn's prompt; without the model's own counter, tokens are estimated."""
        core = self._core
        seen = window.read_window(core, turn)
        exclude = seen.message_ids | {turn.message.id}
        exclude |= {done.id for done in turn.decided if done.id is not None}
        return recall_from(
            core,
            question(turn.message),
            previous=seen.path[-2:],
            goal=working_states.get_working_state(core.db, core.profile, turn.conversation).goal,
            exclude=frozenset(exclude),
            count=count,
        )

    def assemble(
        self,
        turn: Turn,
        recalled: Recall,
        count: CountTokens,
        frame: int,
        window_tokens: int,
        *,
        model_sha256: str | None = None,
        masked: bool = False,
    ) -> AssembledPrompt:
        """Put the prompt together; raise BudgetImpossible when the words alone do not fit.

        ``masked`` sends no secret even of the newest words, for a model that is not on this computer.
        """
        core = self._core
        if masked:
            turn = replace(turn, message=replace(turn.message, text=turn.message.safe_text))
        seen = window.read_window(core, turn)
        request = window.request_for(
            core, turn, seen, recalled, self._budget(window_tokens), frame, model_sha256
        )
        self._requests = {turn.message.id: request}
        return prompt.assemble(request, count)

    def _budget(self, window_tokens: int) -> BudgetSettings:
        budget = self._core.settings.budget
        return replace(budget, window=min(window_tokens, budget.window))

    def standing(
        self,
        conversation: str | None,
        count: CountTokens,
        window_tokens: int,
        *,
        model_sha256: str | None = None,
    ) -> Standing:
        """Give what the next prompt of a conversation begins with; None is a conversation not yet begun."""
        return standing_prompt(self._core, conversation, self._budget(window_tokens), count, model_sha256)

    def keep_head(self, standing: Standing) -> None:
        """Use a refreshed top from now on, unless the conversation has got another one meanwhile."""
        with self._core.atomic():
            keep_standing(self._core, standing)

    def is_crowded(self, conversation: str, room: int) -> bool:
        """Tell whether the prompts have been over four fifths full for exactly five turns."""
        return is_crowded(self._core, conversation, room)

    def finish_turn(
        self, turn: Turn, answer: str, stop_reason: str, sent: AssembledPrompt, usage: Usage | None
    ) -> Message:
        """Commit the answer with its receipt."""
        request = self._requests.pop(turn.message.id, None)
        return answering.finish_turn(self._core, turn, answer, stop_reason, sent, usage, request)

    # idle work -------------------------------------------------------------------------------------

    def use_embedder(self, embedder: Embedder | None) -> None:
        """Make vectors with this model from now on; None searches by words only."""
        self._core.embedder = embedder
        if embedder is not None:
            with self._core.atomic():
                vectors.ensure_embedder(self._core.db, embedder.identity, self._core.now())
            vectors.warm(self._core.db)  # now, while nobody waits, not at the first question

    def embed_some(self, limit: int = EMBED_AT_ONCE, *, stop: idle.Stop | None = None) -> bool:
        """Make vectors for a few items that lack them; say whether there may be more.

        With ``stop`` the work is cut small, and given up when it says so; what is made by then is kept.
        """
        core = self._core
        if core.embedder is None:
            return False
        with core.atomic():
            done = vectors.embed_pending(
                core.db,
                core.embedder,
                limit,
                stop or (lambda: False),
                None if stop is None else vectors.GIVES_WAY,
            )
        return done >= limit

    def filling(self) -> Filling | None:
        """Say how far the vectors of the embedding model in use have come; None without a model."""
        embedder = self._core.embedder
        return None if embedder is None else find_filling(self._core.db, embedder.identity)

    def drop_embedder(self, named: str) -> Kept:
        """Remove the vectors that a model used before has left here."""
        with self._core.atomic():
            return drop_kept(self._core.db, named)

    def idle(self, stop: idle.Stop, distiller: Distiller | None = None) -> bool:
        """Do one short piece of what waits for a quiet moment; say whether there may be more."""
        return self.embed_some(stop=stop) or idle.do_piece(self._core, stop, distiller)

    def close_episode(self, conversation: str) -> tuple[Episode, ...]:
        """Close what was said in a conversation, because the user leaves it; return what is kept of it."""
        return boundaries.close_all(self._core, self.reader.get_conversation(conversation).id)

    def close_episodes(self) -> tuple[Episode, ...]:
        """Close every conversation, because Locket ends."""
        made: list[Episode] = []
        while (conversation := boundaries.next_due(self._core, idle_only=False)) is not None:
            made += boundaries.close_all(self._core, conversation)
        return tuple(made)

    # the user's own acts ---------------------------------------------------------------------------

    def search(self, text: str, limit: int = 20, kinds: tuple[str, ...] = ()) -> list[Found]:
        """Search everything there is, by words and meaning."""
        core = self._core
        return search(core.db, core.profile, text, limit, embedder=core.embedder, kinds=kinds)

    def add_fact(self, text: str, *, subject: str = "user", attribute: str = "note") -> Fact:
        """Remember something in the user's own words."""
        with self._core.atomic():
            return acts.add_fact(self._core, text, subject=subject, attribute=attribute)

    def edit_fact(self, ident: str, text: str, value: str | None = None) -> Fact:
        """Say a fact anew."""
        with self._core.atomic():
            return acts.edit_fact(self._core, self.reader.full_id(ident), text, value)

    def pin(self, ident: str, pinned: bool = True) -> Fact:
        """Keep a fact in every prompt, or stop doing so."""
        with self._core.atomic():
            return acts.pin(self._core, self.reader.full_id(ident), pinned)

    def archive(self, ident: str, archived: bool = True) -> Fact | Episode:
        """Hide a fact or an episode from recall, or bring it back."""
        with self._core.atomic():
            return acts.archive(self._core, self.reader.full_id(ident), archived)

    def undo(self, journal: str | None = None, *, conversation: str | None = None) -> Undone:
        """Take back one change of memory, by default the last."""
        core = self._core
        with core.atomic():
            done = undo(
                core.db, core.profile, journal, conversation=conversation, now=core.now(), new_id=core.new_id
            )
            if done.entry.kind == "rule":  # every prompt follows the rules, so every top is written anew
                conversations.drop_heads(core.db, core.profile)
        return done

    # forgetting ------------------------------------------------------------------------------------

    def forget_preview(self, selection: Selection) -> ForgetPlan:
        """Return what a forget would touch, and what it would only list."""
        return preview(self._core, selection)

    def forget(self, plan: ForgetPlan, progress: Progress = silent) -> Outcome:
        """Forget for good, and prove it."""
        self._requests.clear()
        return self._forgetting.forget(plan, progress)

    def redact_preview(self, message: str) -> ForgetPlan:
        """Return what taking a message's secrets out of everything would touch."""
        return preview(self._core, redaction(self._core, self.reader.full_id(message)))

    def finish_forgetting(self) -> list[Outcome]:
        """Prove the forgets whose proof was interrupted or had to wait."""
        return self._forgetting.finish()

    def certificates(self) -> list[tuple[Certificate, Seal]]:
        """List the certificates of earlier forgets, and what the seal of each tells."""
        core = self._core
        return [] if core.vault is None else list_sealed(core.vault, core.profile)

    def tombstones(self) -> list[Tombstone]:
        """List the marks of what must not come back."""
        return tombstones.list_tombstones(self._core.db, self.profile)

    def remove_tombstone(self, ident: str) -> None:
        """Take a mark away, so that what it stands for may be remembered again."""
        with self._core.atomic():
            tombstones.remove_tombstone(self._core.db, self.profile, ident)

    # settings that belong in the vault -------------------------------------------------------------

    def setting(self, name: str, *, default: object = None) -> object:
        """Return a setting of this profile that is kept in the vault."""
        found: object = vault_settings.find_setting(self._core.db, self.profile, name, default)
        return found

    def set_setting(self, name: str, value: object) -> None:
        """Keep a setting of this profile in the vault; None drops it."""
        with self._core.atomic():
            if value is None:
                vault_settings.delete_setting(self._core.db, self.profile, name)
            else:
                vault_settings.put_setting(self._core.db, self.profile, name, value)

    @property
    def persona(self) -> str:
        """How Locket should be, in the user's words; empty when nobody said."""
        return persona.persona_of(self._core)

    def set_persona(self, text: str) -> str:
        """Say how Locket should be, in every prompt from now on; an empty text goes back to the settings'."""
        with self._core.atomic():
            return persona.set_persona(self._core, text)

    def consider(self, text: str) -> tuple[Decided, ...]:
        """Say what would be remembered of a text, and why; nothing is written."""
        return would_remember(self._core, text)

    def accept(self, ident: str, text: str | None = None) -> Decided | Rule:
        """Take a waiting memory or rule for true, reworded where a text is given."""
        with self._core.atomic():
            return reviewing.accept(self._core, self.reader.full_id(ident), text)

    def reject(self, ident: str, *, always: bool = False) -> None:
        """Say no to a waiting memory or rule, this time or for good."""
        with self._core.atomic():
            reviewing.reject(self._core, self.reader.full_id(ident), always=always)

    def add_rule(self, text: str, *, everywhere: bool = False) -> Rule:
        """Follow a rule from now on."""
        with self._core.atomic():
            return ruling.add_rule(self._core, text, everywhere=everywhere)

    def edit_rule(self, ident: str, text: str) -> Rule:
        """Say a rule anew."""
        with self._core.atomic():
            return ruling.edit_rule(self._core, self.reader.full_id(ident), text)

    def rule_back(self, ident: str) -> Rule:
        """Go back to an earlier version of a rule."""
        with self._core.atomic():
            return ruling.rule_back(self._core, self.reader.full_id(ident))

    def retire_rule(self, ident: str) -> Rule:
        """Stop following a rule."""
        with self._core.atomic():
            return ruling.retire_rule(self._core, self.reader.full_id(ident))

    def add_golden(self, question: str, expected: tuple[str, ...], *, should: bool) -> str:
        """Keep a question of the user's with what it should, or should not, find."""
        with self._core.atomic():
            whole = [self.reader.full_id(ident) for ident in expected]
            return goldens.add_golden(self._core, question, whole, should=should)

    def drop_golden(self, ident: str) -> str:
        """Drop a question of the user's; return its whole id."""
        with self._core.atomic():
            return goldens.drop_golden(self._core, ident)

    def ask_goldens(self) -> tuple[goldens.Checked, ...]:
        """Ask the user's own questions and say which find what they should."""
        return goldens.ask_goldens(self._core)

    # drafts ----------------------------------------------------------------------------------------

    def keep_unsent(self, conversation: str | None, text: str) -> None:
        """Keep the text of the input line, so that a crash does not lose it; empty text clears it."""
        core = self._core
        with core.atomic():
            drafts.keep_unsent(core.db, core.profile, conversation, text, core.now(), core.new_id)

    def queue_draft(self, conversation: str | None, text: str) -> str:
        """Keep a message that waits for the answer in progress; return its id."""
        core = self._core
        with core.atomic():
            return drafts.queue_draft(core.db, core.profile, conversation, text, core.now(), core.new_id).id

    def drop_draft(self, draft: str) -> None:
        """Drop a waiting message, because it was sent or taken back."""
        with self._core.atomic():
            drafts.delete_draft(self._core.db, self.profile, draft)

    # conversations ---------------------------------------------------------------------------------

    def switch_branch(self, conversation: str, leaf: str) -> None:
        """Talk on below a message; what only another branch says is set aside until the user is back there."""
        with self._core.atomic():
            branches.switch(self._core, self.reader.get_conversation(conversation).id, leaf)

    def add_profile(self, name: str) -> Profile:
        """Make an empty profile beside this one."""
        with self._core.atomic():
            return profiles.add_profile(self._core, name)

    def rename_profile(self, name: str, new_name: str) -> Profile:
        """Give a profile another name."""
        with self._core.atomic():
            return profiles.rename_profile(self._core, name, new_name)

    def delete_profile(self, name: str) -> profiles.Deleted:
        """Delete another profile for good, in the store's log too."""
        with self._core.atomic():
            deleted = profiles.delete_profile(self._core, name)
        vault = self._core.vault
        return replace(deleted, log_emptied=vault is not None and vault.checkpoint_truncate())

    def take_in(self, copy: Callable[[Core], T]) -> T:
        """Take something whole into the store, as one commit or not at all."""
        with self._core.atomic():
            return copy(self._core)

    def incognito(self, *, lend: bool = False) -> Incognito:
        """Begin a memory that is in no file; ``lend`` lets it read this one."""
        from memory.incognito import open_incognito  # noqa: PLC0415 - it is a Memory itself

        return open_incognito(self._core, lend=lend)

    def set_title(self, conversation: str, title: str) -> None:
        """Rename a conversation."""
        with self._core.atomic():
            conversations.set_title(self._core.db, self.profile, conversation, saying.title_of(title))

    def set_working(self, conversation: str, state: WorkingState) -> None:
        """Put down what is true of a conversation now, in the user's own words."""
        core = self._core
        home = self.reader.get_conversation(conversation)
        with core.atomic():
            working_states.put_working_state(
                core.db,
                core.profile,
                home.id,
                checked(state),
                message=home.leaf,
                now=core.now(),
                new_id=core.new_id,
            )

    def set_remembering(self, conversation: str, remembering: bool) -> None:
        """Stop or resume remembering what is said in one conversation."""
        with self._core.atomic():
            conversations.set_remembering(self._core.db, self.profile, conversation, remembering)
