"""What is promised of time and memory, measured: `make bench`."""
