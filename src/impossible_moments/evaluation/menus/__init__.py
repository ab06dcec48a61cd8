"""Menus: the actions of a scenario as lines from which an answer is composed exactly."""

from impossible_moments.evaluation.menus.action_menu import ActionMenu, LineKind, MenuLine, build_action_menu
from impossible_moments.evaluation.menus.menu_answers import interpret_menu_answer
from impossible_moments.evaluation.menus.menu_prompt import render_menu_instructions
from impossible_moments.evaluation.menus.menu_safety import find_revealed_deeds
from impossible_moments.evaluation.menus.menu_words import render_menu_answer_in_words

__all__ = [
    "ActionMenu",
    "LineKind",
    "MenuLine",
    "build_action_menu",
    "find_revealed_deeds",
    "interpret_menu_answer",
    "render_menu_answer_in_words",
    "render_menu_instructions",
]
