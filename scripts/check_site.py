"""Read the built site as a browser would; fail when a link, an image or a number is missing."""

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import write_json
from embedding_ledger.jobs import run_script
from embedding_ledger.sitecheck import check_site


def main(inputs, outputs, config):
    problems = check_site(inputs.site)
    if problems:
        raise LedgerError(problems)
    write_json(outputs.problems, problems)


if __name__ == "__main__":
    run_script(main, globals().get("snakemake"), inputs=("site",), outputs=("problems",))
