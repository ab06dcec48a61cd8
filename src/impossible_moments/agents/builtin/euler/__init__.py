"""EULER: executes plans, computes timing and sensitivity, and proves. It takes stated numbers as given."""
