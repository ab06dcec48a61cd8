"""API keys: where they are found, where they are sent, and that they are nowhere else."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.llm.api_keys import HIDDEN, ApiKeys, find_api_keys, get_key_variable
from impossible_moments.llm.client.failure_diagnosis import diagnose_failure
from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from impossible_moments.llm.model_references import parse_model_reference
from support.model_conversations import (
    EVERY_PROTOCOL,
    SECRET,
    ConsultationSetup,
    build_reference,
    consult_once,
    hand_in_note,
    run_in_loop,
)
from support.providers.conversation import Question, Reply
from support.providers.faults import WRONG_KEY, plan_always
from support.providers.server import Server, serve_provider

FILE = """
# keys of the team
OPENAI_API_KEY=sk-file-openai
export ANTHROPIC_API_KEY='sk-file-anthropic'
OTHER_SECRET=never-read
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "elsewhere" / "keys.env"
    path.parent.mkdir()
    path.write_text(FILE, encoding="utf-8")
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "project"
    path.mkdir()
    return path


def test_keys_are_read_from_the_file_that_the_environment_names(file: Path, project: Path) -> None:
    keys = find_api_keys(environ={"IM_KEYS_FILE": str(file)}, project=project)
    assert (keys.get_key("openai"), keys.get_key("anthropic"), keys.get_key("groq")) == (
        "sk-file-openai",
        "sk-file-anthropic",
        None,
    )


def test_the_environment_comes_before_the_file_and_the_argument_before_both(
    file: Path, project: Path
) -> None:
    environ = {"IM_KEYS_FILE": str(file), "OPENAI_API_KEY": " sk-environment\n"}
    assert find_api_keys(environ=environ, project=project).get_key("openai") == "sk-environment"
    passed = find_api_keys("sk-passed", environ=environ, project=project)
    assert (passed.get_key("openai"), passed.get_key("anthropic")) == ("sk-passed", "sk-passed")


def test_a_provider_with_a_hyphen_has_a_variable_with_an_underscore() -> None:
    assert get_key_variable("together-ai") == "TOGETHER_AI_API_KEY"
    assert ApiKeys({"TOGETHER_AI": "sk-together"}).get_key("together-ai") == "sk-together"


@pytest.mark.parametrize("way", ["plain", "link"])
def test_a_file_inside_the_project_is_refused(tmp_path: Path, project: Path, way: str) -> None:
    inside = project / "keys.env"
    inside.write_text(FILE, encoding="utf-8")
    named = inside
    if way == "link":
        named = tmp_path / "link.env"
        named.symlink_to(inside)
    with pytest.raises(
        ConfigurationError,
        match=r"is inside the project, where it could be published by accident\. Move it, for example to",
    ):
        find_api_keys(environ={"IM_KEYS_FILE": str(named)}, project=project)


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"], ids=["missing", "binary"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, project: Path, content: bytes | None) -> None:
    path = tmp_path / "keys.env"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigurationError, match="Cannot read the keys file"):
        find_api_keys(environ={"IM_KEYS_FILE": str(path)}, project=project)


@pytest.mark.parametrize("key", ["sk-two words", "sk-two\nlines", "sk-curly-“quote”", "sk-\x00-null"])
def test_what_cannot_be_a_key_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(ConfigurationError, match="Copy it again") as caught:
        ApiKeys(for_all=key).get_key("openai")
    assert "sk-" not in str(caught.value)


@EVERY_PROTOCOL
def test_a_key_is_sent_in_its_header_and_nowhere_else(protocol: str) -> None:
    """Anthropic takes it in either header, and its clients have changed from one to the other."""
    with serve_provider(hand_in_note, key=SECRET) as server:
        assert consult_once(server, protocol).result is not None
        (request,) = server.requests
    carried = {name: value for name, value in request.headers.items() if SECRET in value}
    either = [{"authorization": f"Bearer {SECRET}"}, {"x-api-key": SECRET}]
    assert carried in (either if protocol == "anthropic" else either[:1])
    assert SECRET not in request.path + str(request.body)


def test_a_local_model_is_asked_without_a_key() -> None:
    with serve_provider(hand_in_note) as server:
        assert consult_once(server, "local", means=ConsultationSetup(keys=ApiKeys())).result is not None
        assert "sk-" not in server.requests[0].headers["authorization"]


@pytest.mark.parametrize("name", ["openai:gpt-4o", "anthropic:claude-sonnet-5-5"])
def test_a_missing_key_is_noticed_before_anything_is_asked(name: str) -> None:
    with pytest.raises(ModelFailure) as caught:
        ConnectionPool(ApiKeys()).require_keys_and_packages([parse_model_reference(name)])
    assert (caught.value.kind, caught.value.is_configuration_error) == (FailureKind.NO_KEY, True)
    assert f"set {get_key_variable(name.partition(':')[0])}" in str(caught.value)


def echoing(server: Server) -> str:
    """The key that a request carried."""
    headers = server.requests[-1].headers
    return headers.get("x-api-key") or headers["authorization"].removeprefix("Bearer ")


@pytest.mark.parametrize("before", ["", "x" * 190, "x" * 295, " " * 295])
@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_key_that_a_provider_sends_back_is_struck_out_wherever_the_text_is_cut(
    protocol: str, before: str
) -> None:
    """The model refuses in words that hold the key; so does the error of a server that speaks no protocol."""

    def refusing(_question: Question) -> Reply:
        return Reply(f"{before}{echoing(server)} is the key", finish="filter")

    with serve_provider(refusing) as server:
        came = consult_once(server, protocol)
    assert came.kind is FailureKind.REFUSED
    assert SECRET[:8] not in f"{came.failure} {came.failure!r} {came.failure.__dict__}"


@pytest.mark.parametrize("before", ["x" * 280, "x" * 295])
def test_half_a_key_is_not_left_where_an_error_is_cut(before: str) -> None:
    problem, model = (
        RuntimeError(f"{before} {SECRET} was sent"),
        parse_model_reference("local:x@http://127.0.0.1:9/v1"),
    )
    failure = diagnose_failure(problem, model, ApiKeys({"openai": SECRET}))
    text = f"{failure.detail} {failure!r}"
    assert SECRET[:4] not in text
    assert HIDDEN[0] in text


def test_keys_do_not_print() -> None:
    keys = ApiKeys({"openai": SECRET}, for_all="sk-for-all-of-them")
    exchange = ConnectionPool(keys)
    for shown in (repr(keys), str(keys), repr(exchange), f"{keys}"):
        assert SECRET not in shown
        assert "sk-for-all" not in shown


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_neither_lines_nor_failures_hold_the_key_when_they_are_shown_or_stored(protocol: str) -> None:
    async def shown(server: Server) -> list[bytes]:
        means = ConsultationSetup()
        async with means.open_connection(build_reference(server, protocol)) as line:
            came = await means.consult(line)
            assert came.failure is not None
            return [repr(line).encode(), repr(came).encode(), pickle.dumps(came.failure)]

    with serve_provider(hand_in_note, faults=plan_always(WRONG_KEY)) as server:
        assert all(SECRET.encode() not in each for each in run_in_loop(shown(server)))


def test_a_failure_survives_being_stored() -> None:
    failure = ModelFailure(FailureKind.RATE, "openai:gpt-4o", "too many", retry_after=3.0)
    failure.paid = "7 tokens were paid for it."
    again = pickle.loads(pickle.dumps(failure))  # noqa: S301 - our own bytes
    assert (str(again), again.kind, again.retry_after) == (str(failure), FailureKind.RATE, 3.0)
