"""Train document 002's skip-gram from many seeds and look at where the words end."""

from embedding_ledger import skipgram_toy as s
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script


def main(inputs, outputs, config):
    toy = s.Toy(config["mechanics"]["skipgram"], config["word2vec"]["toy"])
    rows, columns = s.run_rows(toy)
    write_csv(outputs.runs, columns, rows)
    write_csv(outputs.losses, ("epoch", "mean", "low", "high"), s.loss_rows(toy))
    write_csv(outputs.paths, ("epoch", "word", "x", "y"), s.path_rows(toy))
    write_csv(outputs.map, ("seed", "word", "x", "y"), s.map_rows(toy))
    write_csv(outputs.shares, ("statement", "start", "end", "seeds"), s.share_rows(toy))
    fits = s.fit_rows(toy)
    write_csv(outputs.fits, ("dim", "loss"), fits)
    write_values(outputs.values, s.values(toy, fits))
    write_truths(outputs.truths, s.truths(toy))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("runs", "losses", "paths", "map", "shares", "fits", "values", "truths"),
        sections=("mechanics", "word2vec"),
    )
