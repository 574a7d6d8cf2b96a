"""What a running Ludus says about itself: logs, numbers for Prometheus, and whether it is well.

logs.py      one formatter for lines to read and for JSON; secrets are covered
metrics.py   counters, gauges and histograms, and the text in which Prometheus reads them
process.py   what the operating system knows about this process
answers.py   /metrics, /health and /ready for a server; imports Starlette
"""
