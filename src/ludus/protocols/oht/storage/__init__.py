"""What the tournament remembers: accounts, rounds and games in a database, and what is derived from them."""
