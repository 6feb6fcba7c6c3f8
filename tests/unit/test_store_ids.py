from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from fixed_clock import FixedClock

from memory.clock import from_text, system_clock, to_epoch, to_text, zone_of
from memory.errors import BadInput
from memory.ids import ALPHABET, LENGTH, decode, encode, new_id_maker
from memory.records import NEVER


def test_ids_sort_by_time_across_processes(fixed_clock: FixedClock) -> None:
    first = new_id_maker(fixed_clock, lambda bits: 2**bits - 1)()
    fixed_clock.advance(milliseconds=1)
    assert first < new_id_maker(fixed_clock, lambda _bits: 0)()


def test_ids_of_one_moment_keep_their_order(fixed_clock: FixedClock) -> None:
    new_id = new_id_maker(fixed_clock, lambda _bits: 7)
    ids = [new_id() for _ in range(1000)]
    assert ids == sorted(set(ids))


def test_ids_of_one_moment_can_be_told_apart_by_their_beginnings(fixed_clock: FixedClock) -> None:
    new_id = new_id_maker(fixed_clock, Random(7).getrandbits)
    assert len({new_id()[:13] for _ in range(50)}) == 50


def test_ids_go_on_when_the_clock_goes_back(fixed_clock: FixedClock) -> None:
    new_id = new_id_maker(fixed_clock, lambda _bits: 0)
    first = new_id()
    fixed_clock.advance(days=-400)
    assert new_id() > first


def test_ids_go_on_after_the_last_one_of_an_earlier_process(fixed_clock: FixedClock) -> None:
    last = new_id_maker(fixed_clock, lambda bits: 2**bits - 1)()
    assert new_id_maker(fixed_clock, lambda _bits: 0, after=last)() > last


def test_an_id_is_sixteen_letters_that_are_not_mistaken_for_each_other(fixed_clock: FixedClock) -> None:
    ident = new_id_maker(fixed_clock, lambda _bits: 12345)()
    assert len(ident) == LENGTH
    assert set(ident) <= set(ALPHABET)
    assert not set("ilou") & set(ALPHABET)
    assert encode(decode(ident)) == ident


@pytest.mark.parametrize("text", ["", "0" * 15, "0" * 17, "u" * 16, "A" * 16])
def test_other_texts_are_no_ids(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the kind is all there is to say
        decode(text)


def test_a_time_is_written_in_one_way_and_read_back() -> None:
    instant = datetime.fromisoformat("2026-03-02T09:00:00.5+01:00")
    assert to_text(instant) == "2026-03-02T08:00:00.500000Z"
    assert from_text(to_text(instant)) == instant


def test_written_times_sort_as_times_do() -> None:
    start = datetime(999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
    instants = [start + timedelta(microseconds=step) for step in (0, 1, 2, 10**6, 10**12)]
    assert [to_text(instant) for instant in instants] == sorted(map(to_text, instants))


def test_a_time_without_a_zone_is_refused() -> None:
    naive = datetime(2026, 1, 1)  # noqa: DTZ001 - the point of the test
    for write in (to_text, zone_of):
        with pytest.raises(BadInput):
            write(naive)


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026-01-01", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000000+00:00"]
)
def test_a_time_in_another_form_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        from_text(text)


def test_no_expiry_is_the_far_date() -> None:
    assert to_epoch(None) == NEVER
    assert to_epoch(datetime(1970, 1, 2, tzinfo=UTC)) == 86400


@pytest.mark.parametrize("zone", ["+00:00", "+05:45", "-03:30", "+14:00"])
def test_a_zone_is_written_as_people_write_it(zone: str) -> None:
    assert zone_of(datetime.fromisoformat(f"2026-01-01T00:00:00{zone}")) == zone


def test_the_present_instant_knows_its_zone() -> None:
    assert system_clock().utcoffset() is not None
