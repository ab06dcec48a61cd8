"""Four additional agents, disabled by default: DARWIN, TURING, HYPATIA and CASSANDRA (specification 8.3)."""

from impossible_moments.agents.builtin.further.cassandra import Cassandra
from impossible_moments.agents.builtin.further.darwin import Darwin
from impossible_moments.agents.builtin.further.hypatia import Hypatia
from impossible_moments.agents.builtin.further.turing import Turing

__all__ = ["Cassandra", "Darwin", "Hypatia", "Turing"]
