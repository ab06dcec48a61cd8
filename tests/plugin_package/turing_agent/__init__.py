"""TURING, a sixth agent: tries to solve a scenario by the strategies that machines commonly use."""
