"""Wrong digits planted in claims that hold: the verdict must turn (docs/trust.md has the rest)."""

import numpy as np
from planted_digits import caught, population, wrong_values

SAMPLE, AT_LEAST = 50, 48


def test_planted_wrong_digits_are_noticed(project, request, monkeypatch):
    results = project / request.config.getoption("--results")
    monkeypatch.chdir(project)
    held = population(results)
    rng = np.random.default_rng(8)
    missed = []
    for number in rng.choice(len(held), SAMPLE, replace=False):
        claim, table = held[number]
        assert not caught(claim, table, claim.stated), f"{claim.id} does not hold as it stands"
        wrong = wrong_values(claim.stated)
        planted = wrong[rng.integers(len(wrong))]
        if not caught(claim, table, planted):
            missed.append(f"{claim.id}: {planted} for {claim.stated}, {claim.tolerance}")
    assert SAMPLE - len(missed) >= AT_LEAST, "not noticed:\n" + "\n".join(missed)
