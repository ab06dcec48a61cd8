"""Language models: references, keys, prices, pacing and consultations.

Importing this package does not import pydantic-ai. `llm.client` does, and is loaded when a model is first used.
"""

from impossible_moments.llm.api_keys import find_api_keys
from impossible_moments.llm.call_pacing import AT_ONCE, RetryPolicy
from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.consultation_tasks import (
    HAND_IN,
    TRIES,
    ConsultationBill,
    ConsultationResult,
    ConsultationTask,
    ModelTool,
    ReviewedDeliverable,
)
from impossible_moments.llm.data_sizes import DataSizes
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from impossible_moments.llm.model_references import EXAMPLES, ModelReference, parse_model_reference
from impossible_moments.llm.price_table import PriceTable, load_price_table
from impossible_moments.llm.prompt_estimates import estimate_first_prompt_tokens, estimate_text_prompt_tokens
from impossible_moments.llm.spending_limits import SpendingBudget, TokenAllowance
from impossible_moments.llm.thinking_budgets import ThinkingBudget, parse_thinking_budget
from impossible_moments.llm.token_estimates import (
    BYTES_OF_A_TOKEN,
    estimate_data_tokens,
    estimate_text_tokens,
)

__all__ = [
    "AT_ONCE",
    "BYTES_OF_A_TOKEN",
    "EXAMPLES",
    "HAND_IN",
    "TRIES",
    "ConnectionPool",
    "ConsultationBill",
    "ConsultationResult",
    "ConsultationTask",
    "DataSizes",
    "FailureKind",
    "ModelFailure",
    "ModelReference",
    "ModelTool",
    "PriceTable",
    "RetryPolicy",
    "ReviewedDeliverable",
    "SpendingBudget",
    "ThinkingBudget",
    "TokenAllowance",
    "estimate_data_tokens",
    "estimate_first_prompt_tokens",
    "estimate_text_prompt_tokens",
    "estimate_text_tokens",
    "find_api_keys",
    "load_price_table",
    "parse_model_reference",
    "parse_thinking_budget",
]
