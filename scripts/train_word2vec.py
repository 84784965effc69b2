"""Train word2vec on the corpus from one seed: the name of the table's folder."""

from embedding_ledger import word2vec
from embedding_ledger.files import read_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    about = {row["quantity"]: row["value"] for row in read_csv(inputs.about)[1]}
    seed = int(outputs.vectors.parent.name)
    model, _ = word2vec.fit(inputs.corpus, config["word2vec"]["training"], seed)
    told = (f"word2vec, seed {seed}", about["source"], about["licence"])
    word2vec.table_of(model, *told).save(outputs.vectors.parent)


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        inputs=("corpus", "about"),
        outputs=("vectors", "table"),
        sections=("word2vec",),
    )
