"""Property-based tests draw the same examples every time and know no clock."""

from hypothesis import settings

settings.register_profile("ledger", deadline=None, derandomize=True)
settings.load_profile("ledger")
