"""CounterCase as a service: search over HTTP."""
