"""The one exception that users are meant to read."""


class LedgerError(Exception):
    """Something the user can mend; holds every fault found, one a line.

    Attributes: `faults`, the list of messages, each naming its place.
    """

    def __init__(self, faults):
        self.faults = [faults] if isinstance(faults, str) else list(faults)
        super().__init__("\n".join(self.faults))
