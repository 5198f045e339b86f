"""How the adapters that ship with CounterCase are trained; no part of the installed package."""
