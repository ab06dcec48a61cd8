"""Help for authors of skins: what a blueprint leaves to a skin, and templates to fill in."""

from impossible_moments.blueprints.skin_authoring.blueprint_outlines import (
    BlueprintOutline,
    outline_blueprint,
)
from impossible_moments.blueprints.skin_authoring.skin_templates import build_skin_template

__all__ = ["BlueprintOutline", "build_skin_template", "outline_blueprint"]
