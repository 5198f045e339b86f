"""One part of every kind, for CounterCase."""
