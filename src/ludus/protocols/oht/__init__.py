"""The online Hex tournament: its server, and a client that plays in it."""
