"""What does a small model of bytes learn first: patterns of a few letters, or longer ones?

In a window of text the model has seen one byte before the second, two before the third, and so on,
so its loss by place tells what it can do with so much context.
"""

import numpy as np

from embedding_ledger.errors import LedgerError


def bytes_of(tokenizer, tokens, parts, count):
    """Return the first `count` bytes of the text of some parts {name: (first, tokens)}."""
    text = "".join(
        tokenizer.decode(tokens[first : first + number].tolist())
        for first, number in parts.values()
    ).encode("utf-8")
    if len(text) < count:
        raise LedgerError(f"the parts {', '.join(parts)} have {len(text)} bytes, {count} are asked")
    return np.frombuffer(text[:count], dtype=np.uint8)


def gains(places, short):
    """Return (gain from the last `short` bytes, further gain from longer context), nats a byte.

    `places`: (moments, context) losses by bytes seen, see micro_training.Run; the first moment is
    the untrained model. Longer context is that of the second half of the window.
    """
    few, many = places[:, short - 1], places[:, places.shape[1] // 2 :].mean(axis=1)
    return places[0].mean() - few, few - many


def half_way(steps, gain):
    """Return the first of some steps at which a gain has reached half of its last value."""
    return int(np.asarray(steps)[np.argmax(gain >= gain[-1] / 2)])


def truths(steps, places, short):
    """Return {statement: (holds, numbers)}: short patterns are half learned before long ones."""
    near, far = gains(places, short)
    first, later = half_way(steps, near), half_way(steps, far)
    return {
        "byte_model.patterns_first": (
            bool(far[-1] > 0 and first < later),
            {
                f"half of what {short} bytes tell is learned by step": first,
                "half of what longer context adds by step": later,
                "gains at the end in nats a byte": f"{near[-1]:.2f} and {far[-1]:.2f}",
            },
        )
    }
