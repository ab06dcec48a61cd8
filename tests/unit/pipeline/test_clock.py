"""Identifiers come from names, in a form that other programs read as UUIDs."""

from uuid import RFC_4122, UUID

from impossible_moments.pipeline.clock import derive_message_id


def test_an_identifier_is_the_same_at_every_run() -> None:
    assert derive_message_id("IM-0001", "SEED/ATHENA/seed/1") == derive_message_id(
        "IM-0001", "SEED/ATHENA/seed/1"
    )


def test_an_identifier_is_a_uuid_of_version_8() -> None:
    found = [UUID(derive_message_id("IM-0001", str(number))) for number in range(100)]

    assert {(each.version, each.variant) for each in found} == {(8, RFC_4122)}


def test_runs_and_asks_have_identifiers_of_their_own() -> None:
    found = {derive_message_id(run, key) for run in ("IM-1", "IM-11") for key in ("1", "11")}

    assert len(found) == 4
