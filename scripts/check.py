"""Print the scoreboard; fail when a verdict is not the expected one or a result was edited."""

from embedding_ledger import manifest, verdicts
from embedding_ledger.claims import read_claims
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import read_csv
from embedding_ledger.jobs import EVERYTHING, log, run_script


def main(inputs, outputs, config):
    manifest.verify(inputs.sidecars, config)
    _, rows = read_csv(inputs.claims)
    if [claim.id for claim in read_claims(config["claims"])] != [row["id"] for row in rows]:
        raise LedgerError(f"{inputs.claims}: not of this registry; run the pipeline again")
    wrong = [row for row in rows if row["verdict"] != row["expected"] and row["excused"] != "true"]
    for line in verdicts.scoreboard(verdicts.read_summary(inputs.summary)):
        log.info("%s", line)
    for line in verdicts.excuses(rows):
        log.info("%s", line)
    if wrong:
        raise LedgerError(
            [
                *map(verdicts.told, wrong),
                f"{len(wrong)} of {len(rows)} verdicts are unexpected: mend the page, the code, or "
                "what the registry states and expects",
            ]
        )
    expected = [row for row in rows if row["verdict"] == row["expected"]]
    if len(expected) == len(rows):
        log.info("all %d verdicts are the expected ones", len(rows))
    else:
        log.info(
            "no unexpected verdict: %d of %d verdicts are the expected ones",
            len(expected),
            len(rows),
        )


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("claims", "summary", "sidecars*"),
        sections=EVERYTHING,
    )
