"""How much of the whole movement each fact brings, alone and together with others."""
