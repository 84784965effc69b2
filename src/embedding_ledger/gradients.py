"""Where the gradient of an embedding table goes, asked of PyTorch and of the written formulas.

Tables have shape (V, d): a row a token. Nothing here is trained for longer than a step or two.
"""

import inspect
from importlib.metadata import version

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from embedding_ledger import bigram, skipgram
from embedding_ledger.artefacts import agreement, six_digits
from embedding_ledger.lookup import one_hot
from embedding_ledger.vectors import cosine_similarity

FINITE_DIFFERENCES = 1e-7  # what central differences with this step leave of the losses here
STEP = 1e-5


class LanguageModel(nn.Module):
    """The smallest language model: read a row a token, score it against a row a token.

    Tied, both layers hold one parameter of shape (V, d).
    """

    def __init__(self, vocabulary, width, tied):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        if tied:
            self.head.weight = self.embed.weight

    def forward(self, ids):
        """Return the scores of the next token, shape (*ids, V)."""
        return self.head(self.embed(ids))

    def parameter_count(self):
        """Count the parameters, each once however often it is used."""
        return sum(parameter.numel() for parameter in self.parameters())

    def next_token_gradients(self, ids):
        """Return the gradients of the loss of predicting each token from the one before it."""
        loss = functional.cross_entropy(self(ids[:-1]), ids[1:])
        return torch.autograd.grad(loss, list(self.parameters()))


def random_embedding(seed, rows, width, **options):
    """Return an nn.Embedding whose rows are drawn from `seed`."""
    torch.manual_seed(seed)
    return nn.Embedding(rows, width, **options)


def upstream_gradient(table, ids, upstream):
    """Return the gradient of a table when `upstream` (*ids, d) arrives at its output."""
    return torch.autograd.grad(table(ids), table.weight, upstream)[0]


def finite_differences(function, array, step=STEP):
    """Return the central differences of a scalar function in every entry of `array`."""
    slopes = np.empty_like(array)
    for index in np.ndindex(array.shape):
        moved = np.array(array)
        moved[index] = array[index] + step
        above = function(moved)
        moved[index] = array[index] - step
        slopes[index] = (above - function(moved)) / (2 * step)
    return slopes


def environment():
    """Return (package, version) of what computes here."""
    return [("numpy", version("numpy")), ("torch", torch.__version__)]


def code_of_document_000(config, worked):
    """Run what document 000 shows in code; return (values, truths).

    `worked`: vocabulary and width of the page's own example, for the tied model.
    """
    table = random_embedding(config["seed"], config["lookup"]["rows"], config["lookup"]["width"])
    ids = torch.tensor([config["lookup"]["ids"]])
    out = table(ids)
    tied, untied = (
        LanguageModel(worked["vocabulary"], worked["width"], tied) for tied in (True, False)
    )
    counts = tied.parameter_count(), untied.parameter_count()
    size = worked["vocabulary"] * worked["width"]
    values = {
        "code_000.table_shape": list(table.weight.shape),
        "code_000.ids": ids.flatten().tolist(),
        "code_000.output_shape": list(out.shape),
    }
    truths = {
        "code_000.same_rows": (torch.equal(out[0, 0], out[0, 2]), {"ids": ids.flatten().tolist()}),
        "code_000.tied_is_one_parameter": (
            tied.head.weight is tied.embed.weight
            and tied.head.weight.data_ptr() == tied.embed.weight.data_ptr()
            and counts[0] == size,
            {"parameters": counts[0], "table": size},
        ),
        "code_000.tying_saves_a_table": (
            counts[1] - counts[0] == size,
            {"untied": counts[1], "tied": counts[0]},
        ),
        "code_000.head_has_no_bias": (
            tied.head.bias is None,
            {"tensors": [name for name, _ in tied.named_parameters()]},
        ),
    }
    return values, truths


def code_of_document_002(config):
    """Run what document 002 shows of nn.Embedding in code; return (values, truths)."""
    padded = config["padded"]
    rows, width, padding = (padded[key] for key in ("rows", "width", "padding"))
    table = random_embedding(config["seed"], rows, width, padding_idx=padding)
    padding_row = table.weight[padding].tolist()
    ids = torch.tensor([padded["ids"]])
    out, codes = table(ids), functional.one_hot(ids, rows).float()
    agrees = torch.allclose(codes @ table.weight, out)
    out.sum().backward()
    head = nn.Linear(width, rows, bias=False)
    head_shape = list(head.weight.shape)
    head.weight = table.weight
    uses = [layer.weight is table.weight for layer in (table, head)]
    stored = {id(p): p.numel() for layer in (table, head) for p in layer.parameters()}
    given = torch.randn(rows, width)
    frozen = [nn.Embedding.from_pretrained(given, **options) for options in ({"freeze": True}, {})]
    values = {
        "code_002.table": [*table.weight.shape, table.padding_idx],
        "code_002.padding_row": padding_row,
        "code_002.ids": ids.flatten().tolist(),
        "code_002.output_shape": list(out.shape),
        "code_002.one_hot_shape": list(codes.shape),
        "code_002.padding_gradient": table.weight.grad[padding].tolist(),
        "code_002.row_gradient": table.weight.grad[ids[0, 0]].tolist(),
        "code_002.head_shape": head_shape,
        "code_002.uses_of_one_parameter": sum(uses),
    }
    truths = {
        "code_002.one_hot_agrees": (agrees, {"shape": tuple(out.shape)}),
        "code_002.head_has_no_bias": (head.bias is None, {"shape": head_shape}),
        "code_002.head_has_shape_of_table": (
            head_shape == list(table.weight.shape),
            {"head": head_shape, "table": list(table.weight.shape)},
        ),
        "code_002.tied_stored_once": (
            all(uses) and list(stored.values()) == [rows * width],
            {"tensors": len(stored), "parameters": sum(stored.values())},
        ),
        "code_002.pretrained_is_frozen": (
            all(not t.weight.requires_grad and torch.equal(t.weight, given) for t in frozen),
            {"needs gradient with freeze, by default": [t.weight.requires_grad for t in frozen]},
        ),
        **index_errors(table),
    }
    return values, truths


def index_errors(table):
    """Return the truth that ids just outside of [0, V) raise an error on the CPU."""
    raised = {}
    for index in (-1, table.num_embeddings):
        try:
            table(torch.tensor([index]))
        except IndexError as error:
            raised[f"id {index}"] = type(error).__name__
    return {"index.outside_raises": (len(raised) == 2, raised)}


def code_of_document_004(config, toy):
    """Run what document 004 shows of the table in code; return its truths (NumPy, as the page)."""
    rng = np.random.default_rng(config["seed"])
    vocabulary, width = toy["vocabulary"], toy["width"]
    embedding, _ = bigram.draw(rng, vocabulary, width, config["init_scale"])
    tokens = rng.integers(vocabulary, size=64)
    shown = tokens[: config["shown_tokens"]]
    arriving, added = rng.standard_normal((len(tokens), width)), np.zeros_like(embedding)
    np.add.at(added, tokens, arriving)
    product = one_hot(tokens, vocabulary).T @ arriving
    return {
        "code_004.one_hot_agrees": (
            np.allclose(one_hot(shown, vocabulary) @ embedding, embedding[shown]),
            {"shape": one_hot(shown, vocabulary).shape},
        ),
        "code_004.one_hot_transpose_is_add_at": agreement(product, added),
    }


def layer_truths(config):
    """Return the truths about nn.Embedding as a layer: what it reads, and how it starts."""
    seed, rows, width = config["seed"], config["lookup"]["rows"], config["lookup"]["width"]
    table, other = random_embedding(seed, rows, width), random_embedding(seed + 1, rows, width)
    linear = nn.Linear(rows, width, bias=False)
    ids = torch.arange(rows)
    with torch.no_grad():
        linear.weight.copy_(table.weight.T)
        product = linear(torch.eye(rows))
        unknown = nn.Embedding.from_pretrained(torch.full((rows, width), torch.nan))
        unknown.weight[ids[-1]] = table.weight[-1]
        by_product = torch.eye(rows)[-1] @ unknown.weight
    start = table.weight.detach().clone()
    optimizer = torch.optim.SGD(table.parameters(), lr=0.1)
    used = torch.tensor(config["lookup"]["ids"])
    table(used).square().sum().backward()
    optimizer.step()
    moved = (table.weight != start).any(dim=1).nonzero().flatten().tolist()
    return {
        "layer.linear_on_one_hot": agreement(product, start),
        "layer.reads_no_other_row": (
            torch.equal(unknown(ids[-1]), start[-1]) and bool(by_product.isnan().all()),
            {"entries": width, "nan by product": int(by_product.isnan().sum())},
        ),
        "layer.table_shape": (start.shape == (rows, width), {"shape": tuple(start.shape)}),
        "layer.random_then_moved": (
            not torch.equal(start, other.weight) and moved == sorted(set(used.tolist())),
            {
                "standard deviation at the start": f"{start.std():.2f}",
                "rows moved by a step": moved,
            },
        ),
        # a tenth of the spread of a standard normal would still be called small
        "layer.starts_small": (
            bool(start.std() < 0.1),
            {"standard deviation at the start": f"{start.std():.2f}"},
        ),
    }


def row_gradient_truths(config):
    """Return the truths about which rows of a table receive gradient, and how much."""
    seed, large, padded = config["seed"], config["large"], config["padded"]
    rows, width, ids = padded["rows"], padded["width"], torch.tensor([1, 2, 1, 1, 4])
    table = random_embedding(seed, rows, width, dtype=torch.float64)
    arriving = torch.randn(len(ids), width, dtype=torch.float64)
    found = upstream_gradient(table, ids, arriving)
    by_hand = torch.zeros(rows, width, dtype=torch.float64)
    for position, row in enumerate(ids.tolist()):
        by_hand[row] += arriving[position]
    absent = sorted(set(range(rows)) - set(ids.tolist()))
    big = random_embedding(seed, large["rows"], large["width"])
    batch = torch.randint(large["rows"], (large["tokens"],))
    touched = upstream_gradient(big, batch, torch.ones(large["tokens"], large["width"]))
    zero_rows = int((touched == 0).all(dim=1).sum())
    frequent = random_embedding(seed, rows, width, scale_grad_by_freq=True, dtype=torch.float64)
    counts = torch.bincount(ids, minlength=rows).clamp(min=1)[:, None]
    scaled = upstream_gradient(frequent, ids, arriving)
    return {
        "gradient.row_is_sum_over_positions": agreement(found, by_hand),
        "gradient.absent_rows_zero": (
            not found[absent].any() and bool(found[ids].any(dim=1).all()),
            {"absent rows": absent},
        ),
        "gradient.mostly_zero": (
            zero_rows >= large["rows"] - large["tokens"] and zero_rows / large["rows"] > 0.9,
            {"rows": large["rows"], "tokens": large["tokens"], "rows of zeros": zero_rows},
        ),
        "gradient.scaled_by_frequency": agreement(scaled * counts, found),
        **padding_truths(config),
    }


def row_gradient_values(config):
    """Return the gradient entries of a row that three positions use, plain and scaled."""
    rows, width = config["padded"]["rows"], config["padded"]["width"]
    ids, ones = torch.tensor([1, 2, 1, 1]), torch.ones(4, width)
    plain = random_embedding(config["seed"], rows, width)
    scaled = random_embedding(config["seed"], rows, width, scale_grad_by_freq=True)
    return {
        "gradient.of_three_uses": upstream_gradient(plain, ids, ones)[1, 0],
        "gradient.of_three_uses_scaled": upstream_gradient(scaled, ids, ones)[1, 0],
    }


def padding_truths(config):
    """Return the truths about a padding row: fixed as an input, but not once a head is tied."""
    padded = config["padded"]
    rows, width, padding = (padded[key] for key in ("rows", "width", "padding"))
    ids, after = torch.tensor(padded["ids"]), {}
    for tied in (False, True):
        table = random_embedding(config["seed"], rows, width, padding_idx=padding).double()
        start = table.weight.detach().clone()
        head = table.weight if tied else torch.ones_like(start)
        scores = table(ids) @ head.T
        (scores.square().sum() + scores.sum()).backward()
        torch.optim.SGD(table.parameters(), lr=0.1).step()
        changed = (table.weight != start).any(dim=1).nonzero().flatten().tolist()
        after[tied] = {
            "largest gradient entry": six_digits(table.weight.grad[padding].abs().max()),
            "largest entry after a step": six_digits(table.weight[padding].abs().max()),
            "rows changed": changed,
        }
    return {
        "padding.row_stays_zero": (
            after[False]["largest entry after a step"] == 0 and bool(after[False]["rows changed"]),
            after[False],
        ),
        "padding.tied_head_moves_row": (
            after[True]["largest entry after a step"] > 0,
            after[True],
        ),
    }


def _sparse_step(optimizer, sparse, seed):
    """Take one step; return (rows changed, name of the error), one of them None."""
    table = random_embedding(seed, 8, 4, sparse=sparse)
    start = table.weight.detach().clone()

    def closure():
        table.zero_grad()
        loss = table(torch.tensor([1, 2, 2])).square().sum()
        loss.backward()
        return loss

    try:
        with torch.sparse.check_sparse_tensor_invariants():
            optimizer(table.parameters()).step(closure)
    except Exception as error:  # what an optimizer raises here is the measurement
        return None, type(error).__name__
    return int((table.weight != start).any(dim=1).sum()), None


def optimizers(seed):
    """Try each optimizer of torch.optim, at its defaults, on a dense and on a sparse gradient.

    Returns rows (optimizer, gradient, accepts, rows_changed, error): one step on a table of which
    a batch touches two rows out of eight. The dense gradient is the control: an optimizer that
    refuses only the sparse one refuses it for being sparse.
    """
    rows = []
    for name, optimizer in sorted(vars(torch.optim).items()):
        base = torch.optim.Optimizer
        if inspect.isclass(optimizer) and issubclass(optimizer, base) and optimizer is not base:
            for gradient in ("dense", "sparse"):
                changed, error = _sparse_step(optimizer, gradient == "sparse", seed)
                rows.append((name, gradient, error is None, changed, error))
    return rows


def sparse_truths(config, tried):
    """Return the truths about sparse gradients; `tried`: the rows of `optimizers`."""
    large = config["large"]
    ids = torch.tensor([7, 3, 7, 11])
    arriving = torch.ones(len(ids), large["width"])
    tables = [
        random_embedding(config["seed"], large["rows"], large["width"], sparse=sparse)
        for sparse in (True, False)
    ]
    found, dense = (upstream_gradient(table, ids, arriving) for table in tables)
    stored = found.coalesce()
    accepts = {(name, gradient): taken for name, gradient, taken, *_ in tried}
    names = sorted({name for name, _ in accepts})
    accepting = [name for name in names if accepts[name, "sparse"]]
    refusing = [n for n in names if accepts[n, "dense"] and not accepts[n, "sparse"]]
    return {
        "sparse.stores_touched_rows": (
            found.is_sparse
            and stored.indices().tolist() == [sorted(set(ids.tolist()))]
            and torch.equal(stored.to_dense(), dense),
            {
                "rows": large["rows"],
                "rows stored": stored.indices().flatten().tolist(),
                "numbers stored": stored.values().numel(),
            },
        ),
        "sparse.only_some_optimizers": (
            bool(accepting) and bool(refusing),
            {"accept": accepting, "refuse": refusing},
        ),
    }


def tying_truths(config, toy):
    """Return the truths about one table in two roles, and about the table as the first layer."""
    torch.manual_seed(config["seed"])
    tied, untied = (
        LanguageModel(toy["vocabulary"], toy["width"], tied).double() for tied in (True, False)
    )
    with torch.no_grad():
        for weight in untied.parameters():
            weight.copy_(tied.embed.weight)
    ids = torch.randint(toy["vocabulary"], (12,))
    (shared,) = tied.next_token_gradients(ids)
    reading, scoring = untied.next_token_gradients(ids)
    sums, numbers = agreement(shared, reading + scoring)
    rows = [int(part.any(dim=1).sum()) for part in (reading, scoring)]
    read = sorted(set(ids[:-1].tolist()))
    return {
        "tying.gradient_is_sum_of_roles": (
            sums and all(rows),
            {**numbers, "rows with gradient as input": rows[0], "as output": rows[1]},
        ),
        "language_model.table_gets_gradient_of_the_loss": (
            next(untied.parameters()) is untied.embed.weight
            and reading.any(dim=1).nonzero().flatten().tolist() == read,
            {"rows read": read, "rows with gradient": rows[0]},
        ),
    }


def optimizer_state(config):
    """Return (values, truths) about what Adam keeps beside a table: tensors of its shape."""
    table = random_embedding(config["seed"], config["lookup"]["rows"], config["lookup"]["width"])
    adam = torch.optim.Adam(table.parameters())
    table(torch.tensor(config["lookup"]["ids"])).sum().backward()
    adam.step()
    state = adam.state[table.weight]
    copies = sorted(name for name, kept in state.items() if kept.shape == table.weight.shape)
    kept, size = sum(state[name].numel() for name in copies), table.weight.numel()
    rows, width = table.weight.shape
    return {"adam.copies": len(copies)}, {
        "memory.parameters_and_state": (
            size == rows * width and kept == len(copies) * size > 0,
            {"parameters": size, "state": kept, "kept": copies},
        )
    }


def sampling_rows(config):
    """Return {step: (center rows, context rows)} with gradient in one skip-gram step.

    With a full softmax (Mikolov et al. 2013), and with negative sampling (arXiv 1310.4546).
    """
    sampling = config["sampling"]
    vocabulary, width, negatives = (sampling[k] for k in ("vocabulary", "width", "negatives"))
    torch.manual_seed(config["seed"])
    centers, contexts = (torch.randn(vocabulary, width, requires_grad=True) for _ in range(2))
    drawn = torch.randperm(vocabulary)[: 2 + negatives]
    center, positive, sampled = drawn[0], drawn[1], drawn[2:]
    full = -torch.log_softmax(contexts @ centers[center], 0)[positive]
    few = -functional.logsigmoid(contexts[positive] @ centers[center])
    few = few - functional.logsigmoid(-contexts[sampled] @ centers[center]).sum()
    return {
        name: tuple(
            int(gradient.any(dim=1).sum())
            for gradient in torch.autograd.grad(loss, (centers, contexts))
        )
        for name, loss in (("full softmax", full), ("negative sampling", few))
    }


def skipgram_truths(settings, rng):
    """Return the truths about document 002's formulas, at the random start of its example."""
    sentences = [sentence.split() for sentence in settings["sentences"]]
    words = skipgram.vocabulary(sentences)
    centers, contexts = rng.normal(*settings["init"], size=(2, len(words), settings["dim"]))
    found = skipgram.pairs(sentences, settings["window"])
    on_centers, on_contexts = skipgram.gradients(centers, contexts, found)
    tensors = [torch.tensor(table, requires_grad=True) for table in (centers, contexts)]
    scores = tensors[0][found[:, 0]] @ tensors[1].T
    loss = functional.cross_entropy(scores, torch.tensor(found[:, 1]), reduction="sum")
    shares = skipgram.probabilities(centers, contexts)
    by_torch = torch.softmax(tensors[0] @ tensors[1].T, 1).detach()
    renamed = _renamed_gradients(settings, rng, sentences, centers, contexts)
    company = {w: {s[1] for s in sentences if s[0] == w} for w in ("cat", "dog", "car")}
    autograd = torch.autograd.grad(loss, tensors)
    return {
        "skipgram.softmax": agreement(shares, by_torch),
        "skipgram.loss": agreement(skipgram.loss(centers, contexts, found), loss.detach(), 1e-10),
        "skipgram.center_gradient": _all_agree(
            on_centers,
            finite_differences(lambda v: skipgram.loss(v, contexts, found), centers),
            autograd[0],
        ),
        "skipgram.context_gradient": _all_agree(
            on_contexts,
            finite_differences(lambda u: skipgram.loss(centers, u, found), contexts),
            autograd[1],
        ),
        "skipgram.names_of_words_do_not_matter": agreement(
            np.stack(renamed), np.stack([on_centers, on_contexts])
        ),
        "skipgram.company": (
            company["cat"] == company["dog"] and not company["cat"] & company["car"],
            {word: sorted(followers) for word, followers in company.items()},
        ),
    }


def _all_agree(formula, differences, autograd):
    """Compare a written gradient with finite differences and with autograd."""
    near, far = agreement(formula, differences, FINITE_DIFFERENCES), agreement(formula, autograd)
    return near[0] and far[0], {
        "finite differences": near[1]["largest difference"],
        "autograd": far[1]["largest difference"],
    }


def _renamed_gradients(settings, rng, sentences, centers, contexts):
    """Rename all words at random, with their vectors; return the gradients in the old order."""
    words = skipgram.vocabulary(sentences)
    new = rng.permutation(len(words))
    names = {word: f"word{new[row]:06}" for row, word in enumerate(words)}
    renamed = [[names[word] for word in sentence] for sentence in sentences]
    old = np.argsort(new)
    found = skipgram.pairs(renamed, settings["window"])
    return [part[new] for part in skipgram.gradients(centers[old], contexts[old], found)]


def bigram_truths(config, toy, rng):
    """Return the truths about document 004's gradients of the factored bigram model."""
    embedding, output = bigram.draw(rng, toy["vocabulary"], toy["width"], 1)
    x, y = rng.integers(toy["vocabulary"], size=(2, 64))
    on_embedding, on_output = bigram.gradients(embedding, output, x, y)
    tensors = [torch.tensor(factor, requires_grad=True) for factor in (embedding, output)]
    loss = functional.cross_entropy(tensors[0][x] @ tensors[1], torch.tensor(y))
    autograd = torch.autograd.grad(loss, tensors)
    return {
        "bigram.embedding_gradient": _all_agree(
            on_embedding,
            finite_differences(lambda e: bigram.loss(e, output, x, y), embedding),
            autograd[0],
        ),
        "bigram.output_gradient": _all_agree(
            on_output,
            finite_differences(lambda u: bigram.loss(embedding, u, x, y), output),
            autograd[1],
        ),
        "bigram.same_guesses_same_push": _same_guesses(config, toy, rng),
    }


def _same_guesses(config, toy, rng):
    """Compare the first pushes on tokens 0 and 1, which share their successors, with token 2."""
    x, y = np.repeat([0, 1, 2], 3), np.array([3, 4, 5, 3, 4, 5, 6, 7, 8])
    same, different = [], []
    for _ in range(config["random_tables"]):
        start = bigram.draw(rng, toy["vocabulary"], toy["width"], config["init_scale"])
        push = -bigram.gradients(*start, x, y)[0]
        same.append(cosine_similarity(push[0], push[1]))
        different.append(cosine_similarity(push[0], push[2]))
    return min(same) > max(different), {
        "starts": len(same),
        "smallest cosine of the pushes, same successors": six_digits(min(same)),
        "largest, other successors": six_digits(max(different)),
    }


def measure(config, examples):
    """Return (values, truths, optimizers) of the sections `mechanics` and `examples`."""
    rng, tables = np.random.default_rng(config["seed"]), examples["tables"]
    tried = optimizers(config["seed"])
    values_000, truths_000 = code_of_document_000(config, tables["worked"])
    values_002, truths_002 = code_of_document_002(config)
    state_values, state_truths = optimizer_state(config)
    rows = sampling_rows(config)
    negatives = config["sampling"]["negatives"]
    values = {
        **values_000,
        **values_002,
        **row_gradient_values(config),
        **state_values,
        "full_softmax.context_rows": rows["full softmax"][1],
        "negative_sampling.context_rows": rows["negative sampling"][1],
    }
    truths = {
        **truths_000,
        **truths_002,
        **code_of_document_004(config, tables["toy"]),
        **layer_truths(config),
        **row_gradient_truths(config),
        **sparse_truths(config, tried),
        **tying_truths(config, tables["toy"]),
        **state_truths,
        "negative_sampling.few_rows": (
            rows["negative sampling"][0] == 1 and rows["negative sampling"][1] <= negatives + 1,
            {"negatives": negatives, "center and context rows": rows["negative sampling"]},
        ),
        **skipgram_truths(config["skipgram"], rng),
        **bigram_truths(config, tables["toy"], rng),
    }
    return values, truths, tried
