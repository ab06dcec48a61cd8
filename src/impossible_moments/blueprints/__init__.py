"""Blueprints: scenario families stored as files, and the code that draws verified records from them."""

from impossible_moments.blueprints.catalogue import (
    Catalogue,
    Offer,
    build_catalogue,
    find_duplicate_titles,
    load_blueprints_of_skins,
    load_extended_catalogue,
    load_shipped_catalogue,
)
from impossible_moments.blueprints.draw_changes import (
    DrawChanges,
    format_option_group,
    iterate_stated_lines,
)
from impossible_moments.blueprints.earned_tiers import (
    EarnedTier,
    format_earned_tiers,
    load_earned_tier_rows,
)
from impossible_moments.blueprints.file_models import (
    BlueprintForm,
    BlueprintVariant,
    InsightNote,
    Overlay,
    ScenarioNotes,
    SkinForm,
)
from impossible_moments.blueprints.instance_trials import InstanceTrial, draw_and_check_instance
from impossible_moments.blueprints.instances import (
    BlueprintInstance,
    DrawSource,
    build_placeholder_instance,
    draw_instance,
    list_draws_of_variant,
    list_titles,
)
from impossible_moments.blueprints.offer_surveys import (
    OfferSurvey,
    measure_contributed_tiers,
    survey_offer_over_seeds,
)
from impossible_moments.blueprints.overlays import Data
from impossible_moments.blueprints.random_streams import create_random_stream
from impossible_moments.blueprints.scenario_drafts import ScenarioDraft, UnreadableDraft, read_draft
from impossible_moments.blueprints.scenario_tables import (
    ObjectRowTemplate,
    ScenarioTables,
    build_scenario_tables,
)
from impossible_moments.blueprints.twin_offers import find_counterpart_offers, generate_twin_offers

__all__ = [
    "BlueprintForm",
    "BlueprintInstance",
    "BlueprintVariant",
    "Catalogue",
    "Data",
    "DrawChanges",
    "DrawSource",
    "EarnedTier",
    "InsightNote",
    "InstanceTrial",
    "ObjectRowTemplate",
    "Offer",
    "OfferSurvey",
    "Overlay",
    "ScenarioDraft",
    "ScenarioNotes",
    "ScenarioTables",
    "SkinForm",
    "UnreadableDraft",
    "build_catalogue",
    "build_placeholder_instance",
    "build_scenario_tables",
    "create_random_stream",
    "draw_and_check_instance",
    "draw_instance",
    "find_counterpart_offers",
    "find_duplicate_titles",
    "format_earned_tiers",
    "format_option_group",
    "generate_twin_offers",
    "iterate_stated_lines",
    "list_draws_of_variant",
    "list_titles",
    "load_blueprints_of_skins",
    "load_earned_tier_rows",
    "load_extended_catalogue",
    "load_shipped_catalogue",
    "measure_contributed_tiers",
    "read_draft",
    "survey_offer_over_seeds",
]
