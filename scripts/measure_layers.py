"""Follow words through the layers of one published model."""

from embedding_ledger import layer_questions as q
from embedding_ledger import sources
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.contextual import open_model
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    name, c = outputs.values.parent.name, config["contextual"]
    sources.verify(name, config["tables"][name], inputs.files)
    model = open_model(c["models"][name]["kind"], inputs.files, c["models"][name]["heads"])
    sizes = config["settings"]["families"]
    families = {n: pool[: sizes[n]] for n, pool in config["questions"]["families"].items()}
    write_csv(outputs.senses, ("layer", "pairs", "cosine"), q.sense_rows(model, c))
    write_csv(outputs.changes, ("layer", "least", "median", "largest"), q.change_rows(model, c))
    write_values(outputs.values, q.values(model))
    write_truths(outputs.truths, q.truths(model, c, families))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("files*",),
        outputs=("senses", "changes", "values", "truths"),
        sections=("tables", "contextual", "questions", "settings"),
    )
