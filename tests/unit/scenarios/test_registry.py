"""A scenario is published entirely or not at all, and under a number of its own."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios import registry as module
from impossible_moments.scenarios.documents import ScenarioDocuments
from impossible_moments.scenarios.metadata import ClockReadings
from impossible_moments.scenarios.registry import ScenarioRegistry
from impossible_moments.scenarios.scenario import Scenario
from support.built_documents import build_golden_documents


def numbered(number: int) -> ScenarioDocuments:
    documents = build_golden_documents()
    name = f"IM-{number:04d}"
    metadata = documents.metadata.model_copy(update={"scenario_id": name})
    return replace(documents, metadata=metadata, public=documents.public.replace("IM-0007", name))


@pytest.fixture
def registry(tmp_path: Path) -> ScenarioRegistry:
    return ScenarioRegistry(tmp_path / "scenarios")


def test_the_first_number_is_one(registry: ScenarioRegistry) -> None:
    assert registry.choose_next_id() == "IM-0001"


def test_the_next_number_is_above_all(registry: ScenarioRegistry) -> None:
    registry.publish(numbered(3))
    assert registry.choose_next_id() == "IM-0004"


def test_a_reserved_number_is_not_given(registry: ScenarioRegistry) -> None:
    assert registry.choose_next_id(reserved=["IM-0001", "IM-0002"]) == "IM-0003"


def test_a_file_that_is_not_registered_keeps_its_number(registry: ScenarioRegistry) -> None:
    (registry.folder / "public").mkdir(parents=True)
    (registry.folder / "public/IM-0005.md").write_text("", encoding="utf-8")
    assert registry.choose_next_id() == "IM-0006"


def test_numbers_go_beyond_four_digits(registry: ScenarioRegistry) -> None:
    registry.publish(numbered(9999))
    assert registry.choose_next_id() == "IM-10000"


def test_a_scenario_has_its_four_files(registry: ScenarioRegistry) -> None:
    registry.publish(numbered(1))
    files = sorted(str(path.relative_to(registry.folder)) for path in registry.folder.rglob("IM-*"))
    assert files == [
        "evaluation/IM-0001_eval.md",
        "evaluation/IM-0001_mechanics.json",
        "public/IM-0001.md",
        "traces/IM-0001_trace.md",
    ]


def test_what_was_published_reads_back(registry: ScenarioRegistry) -> None:
    registry.publish(numbered(1))
    assert [each.scenario_id for each in Scenario.load_directory(registry.folder)] == ["IM-0001"]


def test_the_metadata_reads_back(registry: ScenarioRegistry) -> None:
    documents = numbered(1)
    registry.publish(documents)
    assert dict(registry.entries) == {"IM-0001": documents.metadata}


def test_entries_stand_in_order_of_numbers(registry: ScenarioRegistry) -> None:
    for number in (10000, 2, 1):
        registry.publish(numbered(number))
    data = json.loads((registry.folder / "registry.json").read_text(encoding="utf-8"))
    assert [each["scenario_id"] for each in data["scenarios"]] == ["IM-0001", "IM-0002", "IM-10000"]


def test_publishing_the_same_again_changes_nothing(registry: ScenarioRegistry) -> None:
    registry.publish(numbered(1))
    before = (registry.folder / "registry.json").stat().st_mtime_ns
    later = replace(
        numbered(1),
        metadata=numbered(1).metadata.model_copy(update={"stamps": ClockReadings(created="later")}),
    )
    registry.publish(later)
    assert (registry.folder / "registry.json").stat().st_mtime_ns == before


def test_a_taken_number_is_refused(registry: ScenarioRegistry) -> None:
    registry.publish(numbered(1))
    with pytest.raises(ConfigurationError, match=r"already published in .* with different contents"):
        registry.publish(replace(numbered(1), evaluation="another"))


def test_a_scenario_may_be_replaced_on_purpose(registry: ScenarioRegistry) -> None:
    registry.publish(numbered(1))
    registry.publish(replace(numbered(1), evaluation="another"), replacing=True)
    assert (registry.folder / "evaluation/IM-0001_eval.md").read_text(encoding="utf-8") == "another"


def test_a_failed_publication_registers_nothing(
    registry: ScenarioRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = module.write_file_atomically

    def failing(path: Path, text: str) -> None:
        if path.parent.name == "public":
            raise OSError("the disk is full")
        whole(path, text)

    monkeypatch.setattr(module, "write_file_atomically", failing)
    with pytest.raises(OSError, match="disk is full"):
        registry.publish(numbered(1))
    assert dict(registry.entries) == {}


def test_no_temporary_file_is_left(registry: ScenarioRegistry) -> None:
    registry.publish(numbered(1))
    assert list(registry.folder.rglob("*.tmp")) == []


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "registry.json"
    module.write_file_atomically(path, "old")
    with pytest.raises(UnicodeEncodeError):
        module.write_file_atomically(path, "new \ud800")
    assert [each.read_text(encoding="utf-8") for each in tmp_path.iterdir()] == ["old"]


def test_publications_at_once_are_all_registered(registry: ScenarioRegistry) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: registry.publish(numbered(number)), range(1, 9)))
    assert len(registry.entries) == 8


def test_a_broken_registry_is_refused(registry: ScenarioRegistry) -> None:
    registry.folder.mkdir()
    (registry.folder / "registry.json").write_text("{", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="Cannot read"):
        registry.choose_next_id()


# twins


def twin(number: int, of: str) -> ScenarioDocuments:
    documents = numbered(number)
    return replace(documents, metadata=documents.metadata.model_copy(update={"twin": of}))


def test_a_twin_is_named_by_its_sibling_too(registry: ScenarioRegistry) -> None:
    registry.publish(numbered(1))
    registry.publish(twin(2, "IM-0001"))

    assert {name: each.twin for name, each in registry.entries.items()} == {
        "IM-0001": "IM-0002",
        "IM-0002": "IM-0001",
    }


def test_publishing_the_sibling_again_changes_nothing(registry: ScenarioRegistry) -> None:
    registry.publish(numbered(1))
    registry.publish(twin(2, "IM-0001"))
    before = (registry.folder / module.FILE).read_bytes()

    registry.publish(numbered(1))

    assert (registry.folder / module.FILE).read_bytes() == before


def test_a_sibling_that_is_replaced_keeps_its_twin(registry: ScenarioRegistry) -> None:
    registry.publish(numbered(1))
    registry.publish(twin(2, "IM-0001"))

    registry.publish(numbered(1), replacing=True)

    assert registry.entries["IM-0001"].twin == "IM-0002"


def test_a_sibling_has_one_twin(registry: ScenarioRegistry) -> None:
    registry.publish(numbered(1))
    registry.publish(twin(2, "IM-0001"))
    registry.publish(twin(3, "IM-0001"))

    assert registry.entries["IM-0001"].twin == "IM-0002"


def test_a_twin_whose_sibling_lies_elsewhere_is_published(registry: ScenarioRegistry) -> None:
    registry.publish(twin(2, "IM-0001"))

    assert list(registry.entries) == ["IM-0002"]
