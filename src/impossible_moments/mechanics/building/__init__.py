"""From written record to world: names, types and rules, every slip a finding."""
