"""Adapters that answer asks with a recording, the built-in cast or language models."""

from impossible_moments.agents.adapters.builtin_adapter import NAME, BuiltinAdapter
from impossible_moments.agents.adapters.llm_adapter import LanguageModelAdapter
from impossible_moments.agents.adapters.performer import PerformedAsk, Performer
from impossible_moments.agents.adapters.replay_adapter import RunRecording, format_recording
from impossible_moments.agents.adapters.seed_review import complete_seed_document

__all__ = [
    "NAME",
    "BuiltinAdapter",
    "LanguageModelAdapter",
    "PerformedAsk",
    "Performer",
    "RunRecording",
    "complete_seed_document",
    "format_recording",
]
