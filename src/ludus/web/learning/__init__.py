"""Trainings and tournaments that a page starts, watches and stops."""
