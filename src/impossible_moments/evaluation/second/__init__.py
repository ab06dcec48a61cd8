"""The parts of the second executor: values, calls, and the passing of time, each worked out the plain and slow way."""
