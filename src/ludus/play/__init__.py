"""Matches, clocks, records, tournaments and ratings. Nothing here asks how an agent thinks."""
