"""The server: connections, logins, rounds and the league."""
