"""Matches, clocks, records, tournaments and ratings: who plays, keeps and ranks, and never asks how an agent thinks."""
