"""The page: `ludus serve`. The server, its messages and the searches behind them; static/ is what the browser gets."""
