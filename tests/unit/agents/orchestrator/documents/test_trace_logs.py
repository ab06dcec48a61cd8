"""The logs of a trace hold evidence: laws and proofs of vetoes, demands and changes of revisions, votes and findings."""

from __future__ import annotations

from dataclasses import replace

from impossible_moments.agents.orchestrator.documents.trace_parts.seed_differences import (
    describe_seed_differences,
)
from impossible_moments.agents.orchestrator.documents.trace_parts.trace_logs import (
    NO_DISAGREEMENT,
    render_blind_findings,
    render_disagreement_log,
    render_revision_log,
    render_veto_log,
    render_vote_log,
)
from impossible_moments.domain.disputes import Evidence, Veto, VetoReview
from impossible_moments.domain.dossier import (
    AgentNote,
    BlindFindingCase,
    DisagreementLogEntry,
    RevisionDemand,
    VetoCase,
    VoteRecord,
)
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, Phase
from impossible_moments.mechanics.records.lines import split_lines
from support.disputed_runs import run_scenario_with_lost_challenge
from support.finished_dossiers import build_finished_dossier, build_seed


def change_first_object(seed: SeedDocument, **cells: str) -> SeedDocument:
    first, *others = seed.scenario.objects
    objects = (first.model_copy(update=cells), *others)
    return seed.model_copy(update={"scenario": seed.scenario.model_copy(update={"objects": objects})})


def test_a_veto_stands_with_its_law_proof_and_review() -> None:
    veto = Veto(
        claim="the chair floats",
        law="Archimedes' principle",
        proof=(Evidence(kind="calculation", text="7850 kg/m3 > 1000 kg/m3"),),
        corrective_proposal="a cork chair",
    )
    dossier = build_finished_dossier().add_deliverable(
        Phase.VALIDATE, NEWTON, VetoReview(satisfied=True, reason="cork floats")
    )
    log = render_veto_log(replace(dossier, vetoes=(VetoCase(Phase.VALIDATE, NEWTON, veto, "LIFTED"),)))
    for text in ("Archimedes' principle", "7850 kg/m3", "a cork chair", "satisfied: cork floats", "LIFTED"):
        assert text in log


def test_a_scenario_without_disagreement_says_so() -> None:
    assert render_disagreement_log(replace(build_finished_dossier(), disagreements=())) == NO_DISAGREEMENT


def test_the_losing_position_of_a_challenge_is_printed() -> None:
    log = render_disagreement_log(run_scenario_with_lost_challenge().end.dossier)
    assert "| ATHENA: The table stands on bare concrete. |" in log


def test_a_revision_states_what_was_demanded_by_whom_and_what_changed() -> None:
    dossier = build_finished_dossier()
    seed = dossier.find_latest_deliverable(SeedDocument)
    assert seed is not None
    demand = RevisionDemand(NEWTON, "It is too light", "chair.mass", "steel: 4.2 kg", "4.2 kg")
    note = AgentNote(ATHENA, "revise", Phase.VALIDATE, demand=demand)
    revised = dossier.replace_notes((note,)).add_deliverable(
        Phase.VALIDATE, ATHENA, change_first_object(seed, mass="9 kg")
    )
    log = render_revision_log(revised)
    assert "NEWTON on chair.mass: It is too light. Evidence: steel: 4.2 kg. Proposal: 4.2 kg." in log
    name, mass = seed.scenario.objects[0].name, seed.scenario.objects[0].mass
    assert f"- Scenario, objects, {name}, mass: {mass} became 9 kg" in log


def test_a_long_text_is_compared_by_its_words() -> None:
    seed = build_seed("blast_room")
    text = f"{seed.scenario.narrative} Nothing else happens."
    longer = seed.model_copy(update={"scenario": seed.scenario.model_copy(update={"narrative": text})})
    (line,) = describe_seed_differences(seed, longer)
    assert line.startswith("Scenario, narrative: 3 of ")


def test_an_unchanged_seed_has_no_differences() -> None:
    seed = build_seed("blast_room")
    assert describe_seed_differences(seed, seed) == ()


def test_a_changed_number_of_the_record_is_named() -> None:
    seed = build_seed("blast_room")
    first, *others = split_lines(seed.mechanics["quantities"])
    name, _, value = first.partition("=")
    mechanics = {**seed.mechanics, "quantities": [f"{name}= 99[s]", *others]}
    lines = describe_seed_differences(seed, seed.model_copy(update={"mechanics": mechanics}))
    assert lines == (f"Mechanics, quantities, {name.strip()}: {value.strip()} became 99[s]",)


def test_a_vote_stands_with_positions_and_confidences() -> None:
    vote = VoteRecord(
        "Scenario readiness", "", "Supermajority", {EULER: "REVISE"}, {EULER: 0.4}, needed=4, winner=None
    )
    log = render_vote_log(replace(build_finished_dossier(), votes=(vote,)))
    assert "| Scenario readiness | EULER REVISE (0.4) | Supermajority: 4 | undecided |" in log


def test_a_blind_finding_stands_with_its_consequence() -> None:
    case = BlindFindingCase("TOO_OBVIOUS: it was named", "ATHENA is asked to revise the text")
    log = render_blind_findings(replace(build_finished_dossier(), blind_findings=(case,)))
    assert "| TOO_OBVIOUS: it was named | ATHENA is asked to revise the text |" in log


def test_a_divided_vote_stands_with_its_first_positions() -> None:
    entry = DisagreementLogEntry(
        "difficulty tier",
        (ATHENA, EULER),
        "structured debate",
        "settled by the second vote",
        "vote",
        evidence=("ATHENA: RUPTURE; EULER: FRACTURE",),
    )
    log = render_disagreement_log(replace(build_finished_dossier(), disagreements=(entry,)))
    assert "| difficulty tier | ATHENA: RUPTURE; EULER: FRACTURE |" in log
