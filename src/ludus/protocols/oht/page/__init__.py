"""The standings page and the REST interface, by https."""
