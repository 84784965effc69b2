"""The one exception that users are meant to read, and the names it suggests."""

import difflib


class LedgerError(Exception):
    """Something the user can mend; holds every fault found, one a line.

    Attributes: `faults`, the list of messages, each naming its place.
    """

    def __init__(self, faults):
        self.faults = [faults] if isinstance(faults, str) else list(faults)
        super().__init__("\n".join(self.faults))


def did_you_mean(name, known, most=1):
    """Return ` (did you mean 'x'?)` with at most so many known names like `name`, or nothing."""
    near = difflib.get_close_matches(str(name), known, most)
    return f" (did you mean {' or '.join(map(repr, near))}?)" if near else ""
