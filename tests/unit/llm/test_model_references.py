"""How a model is named: whatever is read is written the same way, and what cannot be read gets one sentence."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.errors import ConfigurationError
from impossible_moments.llm.model_references import LOCAL_URL, USUAL, ModelReference, parse_model_reference
from impossible_moments.pipeline.cast_selection import select_models

providers = st.from_regex(r"[a-z][a-z0-9_-]{0,10}", fullmatch=True)
names = st.from_regex(r"[A-Za-z0-9.:/_-]{1,20}(@[A-Za-z0-9.:/_-]{1,8})?", fullmatch=True)
urls = st.one_of(
    st.just(""),
    st.from_regex(r"https?://[a-z0-9.-]{1,20}(:[0-9]{1,5})?(/[A-Za-z0-9@._~/-]{0,20})?", fullmatch=True),
)
written = st.builds(
    lambda provider, mark, name, url: f"{provider}{mark}{name}" + (f"@{url}" if url else ""),
    providers,
    st.sampled_from(":/"),
    names,
    urls,
)
alphabet = st.sampled_from(
    [*"aZ0:/@.-_?#[]= \t\n\x00\x1b%é\u202e\ud800", "http://", "https://", "openai:", "local:"]
)
hostile = st.one_of(st.text(max_size=400), st.lists(alphabet, max_size=60).map("".join))


# fmt: off
READ = [
    ("openai:gpt-4o",                                "openai",    "gpt-4o",             ""),
    ("openai/gpt-4o",                                "openai",    "gpt-4o",             ""),
    ("  openai:gpt-4o\n",                            "openai",    "gpt-4o",             ""),
    ("openai",                                       "openai",    USUAL["openai"],      ""),
    ("anthropic",                                    "anthropic", "claude-sonnet-5-5",  ""),
    ("local:llama3.1",                               "local",     "llama3.1",           LOCAL_URL),
    ("local:llama3.1:8b-q4@http://10.0.0.7:8000/v1", "local",     "llama3.1:8b-q4",     "http://10.0.0.7:8000/v1"),
    ("local:org/model@http://[::1]:8000/v1/",        "local",     "org/model",          "http://[::1]:8000/v1"),
    ("openai:ft@v2@https://proxy.example/v1/",       "openai",    "ft@v2",              "https://proxy.example/v1"),
    ("openrouter/meta-llama/llama-3",                "openrouter", "meta-llama/llama-3", ""),
]
# fmt: on


@pytest.mark.parametrize(("text", "provider", "name", "url"), READ)
def test_a_reference_is_read(text: str, provider: str, name: str, url: str) -> None:
    assert parse_model_reference(text) == ModelReference(provider, name, url)


@given(st.one_of(written, hostile))
@example("openai:x@http:///")
@example("openai:x@http://[")
@example("local:" + "n" * 290)
def test_what_is_read_is_written_so_that_it_is_read_the_same(text: str) -> None:
    try:
        found = parse_model_reference(text)
    except ConfigurationError:
        return
    assert parse_model_reference(str(found)) == found


@given(hostile)
def test_hostile_text_gets_one_printable_sentence_or_a_harmless_reference(text: str) -> None:
    try:
        said = str(parse_model_reference(text))
        assert len(said) <= 330
    except ConfigurationError as refusal:
        said = str(refusal)
        assert said.endswith(".")
        assert len(said) < 400
    assert said.isprintable()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not a model reference"),
        ("gpt-4o", "is not a model reference"),
        ("OPENAI:gpt-4o", "is not a model reference"),
        ("openai:", "is not a model reference"),
        ("openai:gpt 4o", "is not a model reference"),
        ("openai:\x1b[31mred", "`openai:?[31mred` is not a model reference"),
        ("openai:x@ftp://host/v1@", "is not a model reference"),
        ("openai:" + "x" * 201, "is not a model reference"),
        ("openai:x@http://host:99999/v1", "is not a server address"),
        ("openai:x@http://:80/v1", "is not a server address"),
        ("openai:x@http://me:secret@host/v1", "contains a user name"),
        ("openai:x@http://host/v1?api_key=secret", "contains a user name, a password or a query"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_to_write_and_without_what_was_secret(
    text: str, sentence: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_model_reference(text)
    assert sentence in str(caught.value)
    assert "secret" not in str(caught.value)


# fmt: off
CHOSEN: list[tuple[tuple[str, ...], dict[str, str], str, str]] = [
    ((),                                {},                                         "builtin",  "builtin"),
    (("openai:a",),                     {"IM_MODEL": "openai:b"},                   "openai:a", "openai:a"),
    (("ATHENA=openai:a",),              {"IM_MODEL": "openai:b"},                   "openai:a", "openai:b"),
    (("athena=openai:a", "openai:c"),   {},                                         "openai:a", "openai:c"),
    ((),                                {"IM_MODEL_ATHENA": "openai:d"},            "openai:d", "builtin"),
    (("openai:c",),                     {"IM_MODEL_ATHENA": "openai:d"},            "openai:c", "openai:c"),
    (("openai:x@http://h/v1", "NEWTON=builtin"), {},                    "openai:x@http://h/v1", "builtin"),
]
# fmt: on


@pytest.mark.parametrize(("flags", "environ", "athena", "newton"), CHOSEN)
def test_flags_come_before_the_environment_and_one_role_before_all(
    flags: tuple[str, ...], environ: dict[str, str], athena: str, newton: str
) -> None:
    found = select_models(flags, load_configuration(), environ)
    assert (found["ATHENA"], found["NEWTON"]) == (athena, newton)


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (("openai:a", "openai:b"), "Two models are given for all roles"),
        (("DARWIN=openai:a",), "which is not an agent of this run"),
        (("ATHENA=",), "gives no model for ATHENA"),
    ],
)
def test_flags_that_contradict_or_say_nothing_are_refused(flags: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence):
        select_models(flags, load_configuration(), {})
