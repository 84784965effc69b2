"""Draw the default corpus of each candidate grammar; compare it with what the grammar predicts."""

from embedding_ledger import grammar, toy_language
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    toy = config["toy_language"]
    write_csv(outputs.candidates, toy_language.CANDIDATE_COLUMNS, toy_language.candidates(toy))
    write_csv(
        outputs.vocabulary,
        ("grammar", "id", "token", "role"),
        [
            (name, number, *item)
            for name, parsed in grammar.parse_grammars(toy["grammars"]).items()
            for number, item in enumerate(toy_language.role_of(parsed).items())
        ],
    )
    write_csv(
        outputs.successors,
        ("grammar", "token", "successor", "probability", "count"),
        toy_language.successors(toy),
    )
    write_values(outputs.values, toy_language.values(toy))
    write_truths(outputs.truths, toy_language.truths(toy))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("candidates", "vocabulary", "successors", "values", "truths"),
        sections=("toy_language",),
    )
