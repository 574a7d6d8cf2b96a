"""Other programs, both ways: ours for others, and others as our agents."""
