"""Rules: how the user wants things done. Only the user's own yes makes, changes or ends one.

A rule is versioned and the current version stands in every prompt; a change therefore asks for a new top in
every conversation. Runs inside the caller's transaction.
"""

from __future__ import annotations

from dataclasses import replace

from memory.acts import LONGEST_FACT
from memory.core import Core
from memory.errors import BadInput
from memory.records import EVERY_PROFILE, Rule
from memory.secrets import find_secrets
from memory.store import conversations, rules
from memory.store.act import Act


def add_rule(core: Core, text: str, *, everywhere: bool = False, message: str | None = None) -> Rule:
    """Follow a rule from now on, in this profile or in all of them."""
    ident = core.new_id()
    rule = Rule(
        id=ident,
        profile=EVERY_PROFILE if everywhere else core.profile,
        text=_checked(text),
        lineage=ident,
        version=1,
        recorded_at=core.now(),
        message=message,
    )
    act = _act(core)
    act.write(None, rule)
    return _close(core, act, "add", rule)


def edit_rule(core: Core, ident: str, text: str) -> Rule:
    """Say a rule anew; the old version stays as history."""
    old = rules.get_rule(core.db, core.profile, ident)
    if old.state != "active":
        raise BadInput("only a rule in force can be edited")
    return _replace(core, old, _checked(text), "edit")


def rule_back(core: Core, ident: str) -> Rule:
    """Go back to an earlier version of a rule, as a new version of it."""
    wanted = rules.get_rule(core.db, core.profile, ident)
    versions = rules.rule_versions(core.db, core.profile, wanted.lineage)
    present = next((rule for rule in versions if rule.state == "active"), versions[-1])
    if present.id == wanted.id and present.state == "active":
        raise BadInput("this version is in force already")
    return _replace(core, present, wanted.text, "rollback")


def retire_rule(core: Core, ident: str) -> Rule:
    """Stop following a rule."""
    old = rules.get_rule(core.db, core.profile, ident)
    if old.state != "active":
        raise BadInput("this rule is not in force")
    act = _act(core)
    gone = replace(old, state="retired")
    act.write(old, gone)
    return _close(core, act, "retire", gone)


def _replace(core: Core, old: Rule, text: str, name: str) -> Rule:
    last = max(rule.version for rule in rules.rule_versions(core.db, core.profile, old.lineage))
    new = replace(old, id=core.new_id(), text=text, version=last + 1, recorded_at=core.now(), state="active")
    act = _act(core)
    if old.state == "active":
        act.write(old, replace(old, state="replaced"))
    act.write(None, new)
    return _close(core, act, name, new)


def _act(core: Core) -> Act:
    return Act(core.db, core.profile, core.now(), core.new_id, "user")


def _close(core: Core, act: Act, name: str, rule: Rule) -> Rule:
    act.close(name, "rule", rule.id)
    conversations.drop_heads(core.db, rule.profile)
    return rule


def _checked(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise BadInput("there is no rule in this")
    if len(text) > LONGEST_FACT:
        raise BadInput(f"a rule has at most {LONGEST_FACT:,} characters; this has {len(text):,}")
    if found := find_secrets(text):
        raise BadInput(f"this looks like a secret ({found[0].kind}); secrets are never kept as rules")
    return text
