"""What the pipeline waits for from TURING."""

from impossible_moments.agents.orchestrator.quality_gates import PHASE_GATES

new_agent_name = "TURING"

# Add quality gate criteria for the new agent
PHASE_GATES["VALIDATE"]["criteria"].append({
    "name": f"{new_agent_name}_assessment_complete",
    "check": lambda deliverables: new_agent_name in deliverables,
    "required": True
})  # fmt: skip
