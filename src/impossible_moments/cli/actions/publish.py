"""Implementation of `im publish`: a contributor's finished design goes through all six phases as ATHENA's."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from impossible_moments.agents.adapters import NAME as BUILTIN
from impossible_moments.agents.adapters import BuiltinAdapter, complete_seed_document
from impossible_moments.agents.builtin import BuiltinCast, load_builtin_cast
from impossible_moments.blueprints import (
    Offer,
    build_catalogue,
    draw_and_check_instance,
    load_blueprints_of_skins,
    load_shipped_catalogue,
)
from impossible_moments.cli.actions.create import print_result, print_result_as_json
from impossible_moments.cli.cast_options import PhaseProgressPrinter, get_exit_status
from impossible_moments.cli.choices import suggest_names
from impossible_moments.cli.exit_status import FOUND_ERRORS
from impossible_moments.cli.interruptions import explain_interruption, report_waiting
from impossible_moments.cli.output.formatting import escape_control_characters
from impossible_moments.cli.output.terminal import Console
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, ROLES, parse_main_status
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import ScenarioState
from impossible_moments.library import load_everyday_library
from impossible_moments.llm import SpendingBudget
from impossible_moments.mechanics.checks import verify_record
from impossible_moments.mechanics.records import describe_form_problems, load_document
from impossible_moments.pipeline import CONTRIBUTED, ContributedSeedPerformer, Pipeline

_RECORD_FORMAT = "im-mechanics/1"


@dataclass(frozen=True)
class _Contribution:
    """A design that can be published, or the reasons why it cannot."""

    seed: SeedDocument | None
    brief: GenerationBrief | None
    programs: BuiltinCast
    problems: tuple[str, ...] = ()


def publish_record(
    path: Path, *, variant: str | None, seed: int, output: Path, config: Path | None, as_json: bool
) -> int:
    """Publish a design and print the result. Return the exit status."""
    data = load_document(path)
    if data.get("format") == _RECORD_FORMAT:
        raise ConfigurationError(
            f"{path.name} is a record without texts about it. Publish a skin or a blueprint with a skin inside, or a seed "
            "document whose field `mechanics` is this record: docs/blueprints.md describes them."
        )
    found = _read_seed_document(path, data) if "mechanics" in data else _draw_offer(path, variant, seed)
    if found.seed is None or found.brief is None:
        console = Console(stderr=True)
        for problem in found.problems:
            console.print(escape_control_characters(problem), highlight=False, markup=False)
        return FOUND_ERRORS
    performer = ContributedSeedPerformer(found.seed, BuiltinAdapter(found.programs))
    pipeline = Pipeline(
        config,
        performer=performer,
        output=output,
        cast={role: f"{CONTRIBUTED}{path}" if role == ATHENA else BUILTIN for role in ROLES},
        on_ask=PhaseProgressPrinter().report_ask,
        on_wait=report_waiting,
    )
    name = f"{path.name} ({sha256(path.read_bytes()).hexdigest()[:12]})"
    brief = found.brief.model_copy(update={"blueprints": name})
    with explain_interruption(f"im publish {path}"):
        (result,) = pipeline.generate_all([brief])
    if as_json:
        print_result_as_json(result, output, SpendingBudget())
    elif result.state is ScenarioState.FAILED:
        reason = escape_control_characters(result.reason)
        Console().print(f"{result.scenario_id} is failed: {reason}", highlight=False, markup=False)
    else:
        print_result(result, output)
    return get_exit_status(result)


def _read_seed_document(path: Path, data: dict[str, object]) -> _Contribution:
    """Read a seed document. Parts that its record prints, such as the narrative, may be empty."""
    programs = load_builtin_cast()
    try:
        written = SeedDocument.model_validate(data)
    except ValidationError as problem:
        listed = "\n".join(describe_form_problems(SeedDocument, problem))
        raise ConfigurationError(f"{path.name} is not a valid seed document:\n{listed}") from None
    report = verify_record(written.mechanics, load_everyday_library())
    errors = tuple(
        f"{each.code} {each.where}: {each.what}{f'. Expected: {each.expected}' if each.expected else ''}"
        for each in report.findings.errors
    )
    if errors or report.record is None:
        return _Contribution(None, None, programs, errors)
    completed, _ = complete_seed_document(written, load_everyday_library())
    summary = completed.concept_summary
    brief = GenerationBrief(
        category=summary.category,
        difficulty_tier=summary.difficulty_tier,
        solution_status=parse_main_status(report.record.status.claim),
    )
    return _Contribution(completed, brief, programs)


def _draw_offer(path: Path, variant: str | None, seed: int) -> _Contribution:
    """Draw the only offer of a file, or that of a variant, and check the draw."""
    own = build_catalogue([path], load_blueprints_of_skins([path]))
    offer = _choose_offer(path, [each for each in own.iterate_offers() if _is_from(each, path)], variant)
    programs = BuiltinCast(build_catalogue([path], load_shipped_catalogue()), load_everyday_library())
    trial = draw_and_check_instance(offer, programs.library, seed, 0)
    if trial.tier is None or not trial.accepted:
        return _Contribution(None, None, programs, trial.reasons)
    brief = GenerationBrief(
        category=offer.blueprint.category,
        difficulty_tier=trial.tier,
        solution_status=parse_main_status(offer.claim),
        seed=seed,
    )
    return _Contribution(programs.draw_seed_document(brief, offer.name), brief, programs)


def _is_from(offer: Offer, path: Path) -> bool:
    data = load_document(path)
    if data.get("format") == "im-skin/1":
        return (offer.blueprint.name, offer.skin.name) == (data.get("blueprint"), data.get("name"))
    return offer.blueprint.name == data.get("name")


def _choose_offer(path: Path, offers: list[Offer], variant: str | None) -> Offer:
    chosen = [each for each in offers if variant in {None, each.variant}]
    if len(chosen) == 1:
        return chosen[0]
    known = sorted({each.variant for each in offers})
    if not chosen:
        raise ConfigurationError(
            f"{path.name} has no variant {variant}.{suggest_names(variant or '', known)} The variants are {', '.join(known)}."
            if known
            else f"{path.name} contains no skin. A blueprint needs at least one skin."
        )
    raise ConfigurationError(
        f"{path.name} has {len(chosen)} offers: {', '.join(each.name for each in chosen)}. Name one with --variant, and keep "
        "one skin in the file."
    )
