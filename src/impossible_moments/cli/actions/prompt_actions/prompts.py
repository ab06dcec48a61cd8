"""Implementation of `im prompts list` and `im prompts diff`: current prompts and changes by a new text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Final

import typer

from impossible_moments.agents import GUIDE, split_prompt_sections
from impossible_moments.agents.orchestrator import Configuration, load_configuration
from impossible_moments.cli.actions.prompt_actions.prompt_changes import (
    PromptSectionChange,
    compare_prompt_sections,
    compute_next_version_stem,
)
from impossible_moments.cli.agent_names import require_configured_agent
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.formatting import (
    escape_control_characters,
    escape_for_terminal,
    print_json,
)
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.errors import ConfigurationError
from impossible_moments.llm import estimate_text_tokens

LARGEST: Final = 1_000_000
"""Largest size of a prompt file in bytes."""
LONGEST_VERSION: Final = 24
"""Longest version, in characters, that stays on one line of the list."""
SAME: Final = "The two texts are identical: the version stays the same."


@dataclass(frozen=True, slots=True)
class PromptListing:
    """Row of the list of current prompts."""

    agent: str
    version: str
    tokens: int
    tokens_with_seeds_only: int
    """Tokens that are sent only when a seed document is requested. Included in `tokens`."""
    file: str
    enabled: bool


def list_prompts(config: Path | None, *, as_json: bool) -> int:
    """Print version, size and file of the prompt of every agent."""
    rows = tuple(_build_prompt_listings(load_configuration(config)))
    if as_json:
        print_json([asdict(row) for row in rows])
        return DONE
    numbers = ("tokens", "with seeds only")
    short = ("version",) if all(len(row.version) <= LONGEST_VERSION for row in rows) else ()
    table = create_table(
        "agent", "version", *numbers, "file", whole=("agent", "tokens", *short), right=numbers
    )
    for row in rows:
        name = row.agent if row.enabled else f"{row.agent} (off)"
        only = f"{row.tokens_with_seeds_only:,}" if row.tokens_with_seeds_only else "-"
        table.add_row(
            escape_for_terminal(name),
            escape_for_terminal(row.version),
            f"{row.tokens:,}",
            only,
            escape_for_terminal(row.file),
        )
    Console().print(table)
    return DONE


def _build_prompt_listings(settings: Configuration) -> Iterator[PromptListing]:
    everybody = settings.enable_agents(
        [name for name in settings.agents if name.upper() not in settings.roster]
    )
    for agent, entry in everybody.roster.items():
        text = everybody.prompts[agent]
        yield PromptListing(
            agent,
            everybody.prompt_versions[agent],
            estimate_text_tokens(text),
            estimate_text_tokens(split_prompt_sections(text).get(GUIDE, "")),
            entry.prompt,
            agent in settings.roster,
        )


def diff_prompt(agent: str, prompt: Path, *, config: Path | None, as_json: bool) -> int:
    """Print the differences between the current and a proposed prompt of an agent, and the new version."""
    settings = enable_agent(load_configuration(config), agent)
    name = agent.upper()
    proposed = replace_prompt(settings, name, prompt)
    old, new = settings.prompts[name], proposed.prompts[name]
    found = compare_prompt_sections(old, new)
    present, named = settings.prompt_versions[name], proposed.prompt_versions[name]
    major = any(each.is_major for each in found)
    stem = compute_next_version_stem(Path(settings.roster[name].prompt).stem, agent=name, major=major)
    by_convention = present if old == new else f"{stem}_{named.rpartition('_')[2]}"
    lines = list(
        unified_diff(
            old.splitlines(), new.splitlines(), f"{present} (present)", f"{named} (proposed)", lineterm=""
        )
    )
    if as_json:
        print_json(
            {
                "agent": name,
                "present": present,
                "proposed": named,
                "by_convention": by_convention,
                "major": major,
                "sections": [{**asdict(each), "major": each.is_major} for each in found],
                "diff": lines,
            }
        )
        return DONE
    if old == new:
        typer.echo(SAME)
        return DONE
    typer.echo(escape_control_characters("\n".join(lines)))
    _print_section_changes(found)
    typer.echo(
        escape_control_characters(_format_prompt_version_advice(prompt, named, by_convention, major=major))
    )
    return DONE


def _print_section_changes(found: tuple[PromptSectionChange, ...]) -> None:
    typer.echo("\nSections:" if found else "\nNo section changed: only the order or blank lines differ.")
    for each in found:
        counts = (
            f"+{each.added} -{each.removed}" if each.kind == "changed" else f"{each.added + each.removed}"
        )
        mark = "  <- major" if each.is_major else ""
        typer.echo(
            escape_control_characters(
                f"  {each.kind:<8} {each.heading or '(before the first heading)'}: {counts} lines{mark}"
            )
        )


def _format_prompt_version_advice(prompt: Path, named: str, by_convention: str, *, major: bool) -> str:
    size = (
        "a major revision: main headings were added or removed, or a section on scope or criteria changed"
        if major
        else "a minor refinement: the main headings are the same, and no section on scope or criteria changed"
    )
    stem = by_convention.rpartition("_")[0]
    rename = (
        ""
        if named == by_convention
        else f" With the file name {prompt.name} the version would be {named}. Rename the file to {stem}.md."
    )
    doubt = (
        ""
        if major
        else " If it changes how the agent works with others, it is a major revision. Check this yourself."
    )
    return f"\nJudging by the sections, this is {size}. Version: {by_convention}.{rename}{doubt}"


def enable_agent(settings: Configuration, agent: str) -> Configuration:
    """Return the settings with an agent enabled. Raise a ConfigurationError for an unknown agent."""
    name = require_configured_agent(agent, settings)
    return settings if name in settings.roster else settings.enable_agents([name])


def replace_prompt(settings: Configuration, agent: str, prompt: Path) -> Configuration:
    """Return the settings with a different prompt file for one agent."""
    _require_readable_prompt(prompt)
    entry = settings.roster[agent].model_copy(update={"prompt": str(prompt)})
    key = next(name for name in settings.agents if name.upper() == agent)
    # Validate anew: a copy would keep the cached properties of the original.
    return Configuration.model_validate({**settings.model_dump(), "agents": {**settings.agents, key: entry}})


def _require_readable_prompt(prompt: Path) -> None:
    if not prompt.is_file():
        raise ConfigurationError(f"No such file: {prompt}. Name the file of the new prompt with --prompt.")
    if prompt.stat().st_size > LARGEST:
        raise ConfigurationError(
            f"{prompt} has more than {LARGEST:,} bytes, which is too large for a prompt. Name another file."
        )
    try:
        text = prompt.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"{prompt} cannot be read as UTF-8 text. Save the file in UTF-8.") from None
    if not text.strip():
        raise ConfigurationError(f"{prompt} is empty. A prompt needs at least one sentence.")
