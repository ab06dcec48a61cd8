"""Finished scenarios: their documents, registry and templates. How similar they are is in `scenarios.similarity`."""

from impossible_moments.scenarios.document_template import fill_document_template
from impossible_moments.scenarios.documents import ScenarioDocuments
from impossible_moments.scenarios.file_lock import hold_file_lock
from impossible_moments.scenarios.markdown import (
    NOTHING,
    escape_block,
    escape_inline,
    join_paragraphs,
    render_bullet_list,
    render_numbered_list,
    render_table,
)
from impossible_moments.scenarios.metadata import (
    ID_FORM,
    AgentVersion,
    BriefDeviation,
    BriefFulfilment,
    ChallengeCounts,
    ClockReadings,
    ConstraintJudgement,
    ScenarioMetadata,
    ToolCallRecord,
    VerificationRecord,
    VetoCounts,
    build_agent_version,
    compute_canary,
    compute_prompt_hash,
)
from impossible_moments.scenarios.registry import (
    FILE as REGISTRY_FILE,
)
from impossible_moments.scenarios.registry import (
    RefusedPublication,
    ScenarioRegistry,
    parse_scenario_number,
    write_file_atomically,
)
from impossible_moments.scenarios.scenario import Scenario
from impossible_moments.scenarios.shipped_benchmark import (
    find_shipped_benchmark,
    resolve_scenario_folder,
)

__all__ = [
    "ID_FORM",
    "NOTHING",
    "REGISTRY_FILE",
    "AgentVersion",
    "BriefDeviation",
    "BriefFulfilment",
    "ChallengeCounts",
    "ClockReadings",
    "ConstraintJudgement",
    "RefusedPublication",
    "Scenario",
    "ScenarioDocuments",
    "ScenarioMetadata",
    "ScenarioRegistry",
    "ToolCallRecord",
    "VerificationRecord",
    "VetoCounts",
    "build_agent_version",
    "compute_canary",
    "compute_prompt_hash",
    "escape_block",
    "escape_inline",
    "fill_document_template",
    "find_shipped_benchmark",
    "hold_file_lock",
    "join_paragraphs",
    "parse_scenario_number",
    "render_bullet_list",
    "render_numbered_list",
    "render_table",
    "resolve_scenario_folder",
    "write_file_atomically",
]
