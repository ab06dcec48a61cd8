"""The `im` command line: the application and its commands.

Each command imports its implementation when it is called, so that `im --help` is fast.
"""

from __future__ import annotations

import gc
import sys
from io import TextIOWrapper
from typing import Annotated, Final

import typer

from impossible_moments.cli.commands.agent import agent_app
from impossible_moments.cli.commands.audit import audit_documents
from impossible_moments.cli.commands.batch import produce_batches
from impossible_moments.cli.commands.blueprint import blueprint_app
from impossible_moments.cli.commands.breakthroughs import breakthroughs_app
from impossible_moments.cli.commands.create import create_scenario
from impossible_moments.cli.commands.difficulty import measure_difficulty
from impossible_moments.cli.commands.evaluate import evaluate_scenarios
from impossible_moments.cli.commands.export import export_scenarios
from impossible_moments.cli.commands.import_scenarios import import_scenarios
from impossible_moments.cli.commands.place import place_app
from impossible_moments.cli.commands.prompts import prompts_app
from impossible_moments.cli.commands.publish import publish_record
from impossible_moments.cli.commands.registry import registry_app
from impossible_moments.cli.commands.release import release_app
from impossible_moments.cli.commands.report import report_results
from impossible_moments.cli.commands.resume import resume_scenarios
from impossible_moments.cli.commands.review import review_app
from impossible_moments.cli.commands.schema import schema_app
from impossible_moments.cli.commands.score import score_answers
from impossible_moments.cli.commands.show import show_app
from impossible_moments.cli.commands.status import show_status
from impossible_moments.cli.commands.verify import verify_records
from impossible_moments.cli.commands.worker import run_worker
from impossible_moments.cli.exit_status import INTERRUPTED
from impossible_moments.cli.output.error_sentences import describe_error
from impossible_moments.errors import ImpossibleMomentsError

"""How much of the name of a file a message quotes."""
COMPLETION: Final = "Shell completion: `im --install-completion` sets it up for the current shell. Restart the shell afterwards."

COLLECTIONS: Final = (100_000, 20, 50)
"""Objects between two searches for garbage. With Python's own figure they take an eighth of the time of a command."""
app = typer.Typer(
    name="im",
    help="Create, verify, publish and run a benchmark of situations that look impossible.",
    epilog=COMPLETION,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Commands inherit the names of the help option from here.
    context_settings={"help_option_names": ["--help", "-h"]},
)

app.command("create")(create_scenario)
app.command("batch")(produce_batches)
app.command("worker")(run_worker)
app.command("publish")(publish_record)
app.command("resume")(resume_scenarios)
app.command("status")(show_status)
app.add_typer(release_app, name="release")
app.add_typer(review_app, name="review")
app.command("verify")(verify_records)
app.command("audit")(audit_documents)
app.command("eval")(evaluate_scenarios)
app.command("score")(score_answers)
app.command("report")(report_results)
app.command("difficulty")(measure_difficulty)
app.add_typer(breakthroughs_app, name="breakthroughs")
app.command("export")(export_scenarios)
app.command("import")(import_scenarios)
app.add_typer(registry_app, name="registry")
app.add_typer(show_app, name="show")
app.add_typer(blueprint_app, name="blueprint")
app.add_typer(place_app, name="place")
app.add_typer(prompts_app, name="prompts")
app.add_typer(agent_app, name="agent")
app.add_typer(schema_app, name="schema")


@app.callback(invoke_without_command=True)
def apply_root_options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Create, verify, publish and run a benchmark of situations that look impossible."""
    if version:
        from importlib.metadata import version as installed_version

        typer.echo(f"im {installed_version('impossible-moments')}")
        raise typer.Exit


def main() -> None:
    """Run `im`. Print an error that the user can fix as one sentence and exit with status 2."""
    gc.set_threshold(*COLLECTIONS)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot show a character shows its number.
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except (ImpossibleMomentsError, OSError, UnicodeError) as problem:
        from impossible_moments.cli.output.formatting import escape_control_characters

        typer.echo(f"im: {escape_control_characters(describe_error(problem))}", err=True)
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        typer.echo("im: interrupted.", err=True)
        raise SystemExit(INTERRUPTED) from None
