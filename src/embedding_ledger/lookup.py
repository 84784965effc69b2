"""What a table lookup is and is not: selection of rows, coordinates, order, rank (all documents).

Tables have shape (V, d): a row a token. Nothing here is trained; the tables are random.
"""

import itertools
from fractions import Fraction

import numpy as np

from embedding_ledger import bigram, skipgram
from embedding_ledger.arithmetic import factored_parameters
from embedding_ledger.artefacts import agreement, six_digits
from embedding_ledger.parameters import Configuration, total
from embedding_ledger.vectors import cosine_similarity, unit_rows


def one_hot(ids, vocabulary):
    """Return a one at each id and zeros elsewhere, shape (*ids, V)."""
    ids = np.asarray(ids)
    codes = np.zeros((*ids.shape, vocabulary))
    np.put_along_axis(codes, ids[..., None], 1, axis=-1)
    return codes


def word_ids(words, vocabulary):
    """Return the row number of each word; raise KeyError for a word that has none."""
    rows = {word: row for row, word in enumerate(vocabulary)}
    return [rows[word] for word in words]


def random_orthogonal(rng, width):
    """Draw an orthogonal matrix, shape (d, d): a rotation, perhaps with a reflection."""
    return np.linalg.qr(rng.standard_normal((width, width)))[0]


def nearest_rows(table, row, count):
    """Return the `count` rows of highest cosine to a row (itself included) and their cosines.

    One product of the whole table at unit length with one of its rows, as in document 001.
    """
    unit = unit_rows(table)
    scores = unit @ unit[row]
    order = np.argsort(-scores, kind="stable")[:count]
    return order, scores[order]


def swapped_sentences(swap):
    """Return two sentences of the same words: who does it to whom, and the other way round."""
    subject, verb, thing = (swap[key] for key in ("subject", "verb", "object"))
    return ["the", subject, verb, "the", thing], ["the", thing, verb, "the", subject]


def _symbols(shape, names):
    """Write a shape with the names of its sizes, such as 1,V."""
    return ",".join(names.get(size, str(size)) for size in shape)


def _toy_table(rng, toy):
    """Return the small table of document 000: one row is given, the others are drawn."""
    table = rng.standard_normal((toy["rows"], toy["width"]))
    table[toy["row"]] = toy["entries"]
    return table


def values(config, examples):
    """Return {quantity: value or list} of lookups in tables of the pages' sizes.

    `config`: the section `mechanics`; `examples`: the section of that name.
    """
    rng = np.random.default_rng(config["seed"])
    toy, large, padded = config["toy"], config["lookup"], config["padded"]
    small = _toy_table(rng, toy)
    table = rng.standard_normal((large["rows"], large["width"]))
    three_columns = rng.standard_normal((padded["rows"], padded["width"]))
    vocabulary, width = (examples["tables"]["toy"][key] for key in ("vocabulary", "width"))
    embedding, output = bigram.draw(rng, vocabulary, width, config["init_scale"])
    selector = one_hot([0], vocabulary)
    names = {vocabulary: "V", width: "d"}
    tokens = rng.integers(vocabulary, size=config["shown_tokens"])
    batch = rng.integers(padded["rows"], size=padded["batch"])
    return {
        "toy.shape": list(small.shape),
        "toy.width": small.shape[1],
        "toy.row": small[toy["row"]].tolist(),
        "toy.one_hot": one_hot(toy["row"], toy["rows"]).astype(int).tolist(),
        "one_hot.ones": np.count_nonzero(one_hot(large["row"], large["rows"])),
        "one_hot.slots": len(one_hot(0, padded["rows"])),
        "one_hot.shape": list(one_hot(tokens, vocabulary).shape),
        "lookup.rows_read": np.flatnonzero((table == table[large["row"]]).all(axis=1)).tolist(),
        "lookup.batch_shape": list(three_columns[batch].shape),
        "lookup.shapes": [
            _symbols(array.shape, names) for array in (selector, embedding, selector @ embedding)
        ],
        "entries.stored": np.array(config["stored_entries"], dtype=np.float32).tolist(),
        "init.standard_deviations": [six_digits(embedding.std()), six_digits(output.std())],
        "bigram.scores_of_a_token": (embedding @ output)[0].size,
        "neighbours.listed": len(nearest_rows(table, 0, config["neighbours"])[0]),
        "space.coordinates": space_coordinates(),
        **skipgram_values(config["skipgram"]),
    }


def space_coordinates():
    """Return how many coordinates the corners of a tilted sheet and of a room need: the rank."""
    sheet = np.array([[0, 0, 0], [2, 1, 2], [-1, 2, 0], [1, 3, 2]])
    room = np.array(list(itertools.product([0, 4], [0, 5], [0, 3])))
    return [int(np.linalg.matrix_rank(corners - corners[0])) for corners in (sheet, room)]


def skipgram_values(settings):
    """Return the sizes and settings of the skip-gram example (document 002)."""
    sentences = [sentence.split() for sentence in settings["sentences"]]
    words = skipgram.vocabulary(sentences)
    rng = np.random.default_rng(settings["seed"])
    tables = rng.normal(*settings["init"], size=(2, len(words), settings["dim"]))
    return {
        # the number of sentences, then every length that occurs among them
        "skipgram.size": [len(sentences), *sorted({len(sentence) for sentence in sentences})],
        "skipgram.pairs": len(skipgram.pairs(sentences, settings["window"])),
        "skipgram.vectors_per_word": len(tables[:, 0]),
        **{f"skipgram.{key}": settings[key] for key in settings if key != "sentences"},
    }


def one_hot_truths(rng, config, vocabulary):
    """Return the truths about one-hot selection; `vocabulary`: a realistic size for memory."""
    rows, width = config["lookup"]["rows"], config["lookup"]["width"]
    table, codes = rng.standard_normal((rows, width)), one_hot(np.arange(rows), rows)
    dots = codes @ codes.T
    distances = np.linalg.norm(codes[:, None] - codes[None], axis=-1)[np.triu_indices(rows, 1)]
    return {
        "one_hot.product_is_row": agreement(codes @ table, table),
        "one_hot.equally_unrelated": (
            np.allclose(distances, np.sqrt(2)) and not dots[np.triu_indices(rows, 1)].any(),
            {"pairs": len(distances), "distance of every pair": six_digits(distances.mean())},
        ),
        "one_hot.no_similarity": (
            codes.shape == (rows, rows) and np.array_equal(dots, np.eye(rows)),
            {"words": rows, "dimensions": codes.shape[1], "dot products": "identity matrix"},
        ),
        "one_hot.mostly_zeros": (
            np.count_nonzero(one_hot(0, vocabulary) == 0) == vocabulary - 1,
            {"vocabulary": vocabulary, "zeros per word": vocabulary - 1},
        ),
    }


def lookup_truths(rng, config):
    """Return the truths about reading rows by index."""
    rows, width = config["lookup"]["rows"], config["lookup"]["width"]
    table, ids = rng.standard_normal((rows, width)), config["lookup"]["ids"]
    shapes = [(), (1,), (7,), (2, 6), (2, 3, 4), (0,)]
    read = {shape: table[rng.integers(rows, size=shape)] for shape in shapes}
    places = table[ids], table[ids] + rng.standard_normal((len(ids), width))
    first, last = (i for i, number in enumerate(ids) if number == ids[0])
    apart = [np.linalg.norm(place[first] - place[last]) for place in places]
    phrases = [phrase.split() for phrase in config["bank"]["phrases"]]
    words, word = skipgram.vocabulary(phrases), config["bank"]["word"]
    named = rng.standard_normal((len(words), width))
    seen = [named[word_ids(phrase, words)][phrase.index(word)] for phrase in phrases]
    return {
        "lookup.keeps_shape": (
            all(found.shape == (*shape, width) for shape, found in read.items()),
            {"shapes of ids": shapes, "width": width},
        ),
        "lookup.same_id_until_positions": (
            apart[0] == 0 < apart[1],
            {"distance in the table": apart[0], "with positions added": six_digits(apart[1])},
        ),
        "lookup.same_row_in_any_phrase": (
            np.array_equal(*seen),
            {"places": [phrase.index(word) for phrase in phrases]},
        ),
        "lookup.unknown_word_has_no_row": _unknown_word(words),
    }


def _unknown_word(vocabulary):
    unknown = "".join(vocabulary)  # longer than any of the words, so none of them
    try:
        return False, {"row": word_ids([unknown], vocabulary)}
    except KeyError as error:
        return True, {"words": len(vocabulary), "error": type(error).__name__}


def id_truths(rng, config):
    """Return the truths about ids as mere labels: renumber the words and move their rows along."""
    rows, width = config["lookup"]["rows"], config["lookup"]["width"]
    table, new = rng.standard_normal((rows, width)), rng.permutation(rows)
    moved = np.empty_like(table)
    moved[new] = table
    a, b = np.triu_indices(rows, 1)
    gaps_changed = np.count_nonzero(np.abs(a - b) != np.abs(new[a] - new[b]))
    distances = np.linalg.norm(table[a] - table[b], axis=1)
    distances_changed = np.count_nonzero(
        distances != np.linalg.norm(moved[new[a]] - moved[new[b]], axis=1)
    )
    low, middle, high = config["midpoint"]
    tables = rng.standard_normal((config["random_tables"], rows, width))
    off = np.linalg.norm(tables[:, middle] - (tables[:, low] + tables[:, high]) / 2, axis=1)
    return {
        "renumbering.changes_gaps_not_distances": (
            distances_changed == 0 and gaps_changed > 0,
            {
                "pairs": len(a),
                "gaps changed": gaps_changed,
                "distances changed": distances_changed,
            },
        ),
        "ids.no_midpoint": (
            2 * middle == low + high and off.min() > 0,
            {"tables": len(tables), "smallest distance from the midpoint": six_digits(off.min())},
        ),
    }


def coordinate_truths(rng, config, table):
    """Return the truths about turning a table: `table` gives its vocabulary and width."""
    vocabulary, width = table["vocabulary"], table["width"]
    embedding, output = bigram.draw(rng, vocabulary, width, 1)
    turn = random_orthogonal(rng, width)
    unit, turned = unit_rows(embedding), unit_rows(embedding @ turn)
    kept, numbers = agreement(turned @ turned.T, unit @ unit.T)
    changed = np.abs(embedding @ turn - embedding) > 1e-9
    numbers = {**numbers, "coordinates changed": f"{changed.sum()} of {changed.size}"}
    same, difference = agreement((embedding @ turn) @ (turn.T @ output), embedding @ output)
    return {
        "rotation.keeps_cosines": (kept and bool(changed.all()), numbers),
        "rotation.same_function": (same and bool(changed.all()), difference),
    }


def order_truths(rng, config):
    """Return the truths about averages of token vectors, which know no word order."""
    first, second = swapped_sentences(config["swap"])
    words = skipgram.vocabulary([first, second])
    a, b = word_ids(first, words), word_ids(second, words)
    means = [
        (table[a].mean(axis=0), table[b].mean(axis=0))
        for table in _random_tables(rng, config, words)
    ]
    equal = sum(np.allclose(x, y, rtol=0, atol=1e-12) for x, y in means)
    to_the_bit = sum(np.array_equal(x, y) for x, y in means)
    return {
        "averages.identical": agreement(*means[0]),
        "averages.identical_in_any_table": (
            equal == len(means),
            {"tables": len(means), "equal averages": equal, "equal to the last bit": to_the_bit},
        ),
    }


def _random_tables(rng, config, words):
    """Yield random tables for some words, of many widths and scales."""
    for number in range(config["random_tables"]):
        yield rng.standard_normal((len(words), 1 + number % 64)) * 10.0 ** rng.uniform(-2, 2)


def factored_truths(rng, examples):
    """Return the truths about scores that pass through d numbers (documents 002 and 004)."""
    vocabulary = examples["tables"]["toy"]["vocabulary"]
    drawn = {width: bigram.draw(rng, vocabulary, width, 1) for width in examples["widths"]}
    scores = {d: one_hot(np.arange(vocabulary), vocabulary) @ e @ u for d, (e, u) in drawn.items()}
    ranks = {d: int(np.linalg.matrix_rank(table)) for d, table in scores.items()}
    counts = dict(factored_parameters(vocabulary, examples["widths"]))
    fewer = [d for d, count in counts.items() if count < vocabulary**2]
    return {
        "factored.rank_at_most_width": (
            all(rank <= d for d, rank in ranks.items()),
            {"ranks": ranks},
        ),
        "factored.shapes": (
            all(
                e.shape == (vocabulary, d)
                and u.shape == (d, vocabulary)
                and scores[d].shape == (vocabulary, vocabulary)
                for d, (e, u) in drawn.items()
            ),
            {"vocabulary": vocabulary, "widths": list(drawn)},
        ),
        "factored.fewer_parameters_at_all_widths": (
            len(fewer) == len(counts),
            {"full": vocabulary**2, "factored": counts, "fewer at widths": fewer},
        ),
    }


def _falls(numbers):
    return all(first > second for first, second in itertools.pairwise(numbers))


def neighbour_truths(rng, config):
    """Return the truths about document 001's search for neighbours, in a random table."""
    table = rng.standard_normal((config["lookup"]["rows"], config["lookup"]["width"]))
    unit, rows, count = unit_rows(table), range(len(table)), config["neighbours"]
    cosines = np.array([[cosine_similarity(a, b) for b in table] for a in table])
    found = [nearest_rows(table, row, count) for row in rows]
    by_pairs = [
        sorted(rows, key=lambda other, row=row: -cosines[row, other])[:count] for row in rows
    ]
    printed = [
        [f"{cosine:.2f}" for cosine in cosines[row, near]] for row, near in enumerate(by_pairs)
    ]
    score = _scores_by_angle(rng, config["lookup"]["width"])
    return {
        "unit_rows.product_is_cosine": agreement(unit @ unit.T, cosines),
        "neighbours.self_comes_first": (
            all(near[0] == row for row, (near, _) in enumerate(found)),
            {"tokens": len(found), "listed": count, "left without itself": count - 1},
        ),
        "neighbours.one_product_finds_them": (
            all(near.tolist() == other for (near, _), other in zip(found, by_pairs, strict=True)),
            {"tokens": len(found), "scores of a product": (unit @ unit[0]).size},
        ),
        "neighbours.program_prints_the_listing": (
            [[f"{score:.2f}" for score in scores] for _, scores in found] == printed,
            {"tokens": len(found), "printed cosines": sum(map(len, printed))},
        ),
        "score.grows_with_cosine": (
            _falls(score.values()),
            {"score by angle in degrees": {angle: six_digits(n) for angle, n in score.items()}},
        ),
    }


def _scores_by_angle(rng, width):
    """Return {angle: dot product} of a final vector with rows of one length at wider angles."""
    ahead, aside = random_orthogonal(rng, width)[:2]
    angles = range(0, 181, 36)
    return {
        angle: 3
        * ahead
        @ (2 * (np.cos(np.radians(angle)) * ahead + np.sin(np.radians(angle)) * aside))
        for angle in angles
    }


def size_truths(config, examples, window):
    """Return the truths about sizes: what tables weigh in small models and in recommenders.

    `window`: positions of the transformers whose depth varies.
    """
    table, recommender = examples["tables"]["worked"], config["recommender"]
    shares = {}
    for depth in config["depths"]:
        model = Configuration(depth, table["width"], window, table["vocabulary"])
        shares[depth] = six_digits(1 - total(model) / total(model, tied=False))
    sizes = [recommender["width"], *recommender["layers"]]
    dense = sum(n * m + m for n, m in itertools.pairwise(sizes))
    ids = recommender["ids"] * recommender["width"]
    return {
        "tying.saves_most_in_small_models": (
            _falls(shares.values()),
            {"share saved by number of blocks": shares},
        ),
        "recommender.table_dominates": (
            ids / (ids + dense) > 0.5,
            {
                "table": ids,
                "dense layers": dense,
                "share of the table": six_digits(ids / (ids + dense)),
            },
        ),
    }


def number_truths(config):
    """Return the truths about numbers in a computer: floats are near, ids are whole."""
    entries = config["stored_entries"]
    stored = np.array(entries, dtype=np.float32)
    exact = [Fraction(str(entry)) for entry in entries]
    missed = [float(abs(Fraction(float(s)) - e)) for s, e in zip(stored, exact, strict=True)]
    try:
        as_id, error = True, np.zeros(3)[np.array(entries)]
    except IndexError as raised:
        as_id, error = False, type(raised).__name__
    return {
        "floats.approximate": (
            0.1 + 0.2 != 0.3 and all(missed),
            {"0.1 + 0.2": repr(0.1 + 0.2), "float32 misses": [six_digits(m) for m in missed]},
        ),
        "entries.in_between": (
            len(set(stored.tolist())) == len(entries) and not as_id,
            {"stored": [six_digits(s) for s in stored], "as an id": error},
        ),
    }


def truths(config, examples, gpt2):
    """Return {statement: (holds, numbers)} about lookups.

    `config`, `examples`: the sections `mechanics` and `examples`; `gpt2`: its configuration.
    """
    rng = np.random.default_rng(config["seed"])
    return {
        **one_hot_truths(rng, config, gpt2["vocabulary"]),
        **lookup_truths(rng, config),
        **id_truths(rng, config),
        **coordinate_truths(rng, config, examples["tables"]["toy"]),
        **order_truths(rng, config),
        **factored_truths(rng, examples),
        **neighbour_truths(rng, config),
        **size_truths(config, examples, gpt2["context_window"]),
        **number_truths(config),
    }
