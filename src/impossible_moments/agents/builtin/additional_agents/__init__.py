"""Four additional agents, disabled by default: DARWIN, TURING, HYPATIA and CASSANDRA (specification 8.3)."""

from impossible_moments.agents.builtin.additional_agents.cassandra_risk_agent import Cassandra
from impossible_moments.agents.builtin.additional_agents.darwin_evolutionary_agent import Darwin
from impossible_moments.agents.builtin.additional_agents.hypatia_educational_agent import Hypatia
from impossible_moments.agents.builtin.additional_agents.turing_adversarial_agent import Turing

__all__ = ["Cassandra", "Darwin", "Hypatia", "Turing"]
