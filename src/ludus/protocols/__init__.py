"""Protocols to other programs, in both directions: our agents for them, and their programs as our agents."""
