"""What local servers say in words only is understood too."""

import pytest
from pydantic_ai.exceptions import ModelHTTPError, ModelRequestRejectedError

from impossible_moments.llm.api_keys import ApiKeys
from impossible_moments.llm.client.failure_diagnosis import diagnose_failure
from impossible_moments.llm.model_failures import FailureKind
from impossible_moments.llm.model_references import parse_model_reference

LOCAL = parse_model_reference("local:small@http://127.0.0.1:9/v1")


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("request (9475 tokens) exceeds the available context size (8192 tokens)", FailureKind.OVERFLOW),
        ("This model's maximum context length is 4096 tokens.", FailureKind.OVERFLOW),
        ("tools are not supported by this model", FailureKind.REJECTED),
    ],
)
def test_a_rejected_request_is_told_apart_by_the_server_s_words(said: str, kind: FailureKind) -> None:
    problem = ModelHTTPError.for_category(
        ModelRequestRejectedError, status_code=400, model_name="small", body={"error": {"message": said}}
    )

    assert diagnose_failure(problem, LOCAL, ApiKeys()).kind is kind
