"""Relevance where none is given: BM25 of a question's words over its own candidates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from selection.model import FloatArray
from selection.text.terms import content_words

K1, B = 1.5, 0.75
"""Saturation of repeated words, and how much length counts: the usual values."""


def bm25_scores(question: str, texts: Sequence[str]) -> FloatArray:
    """Shape (n,), 0 or more, higher is more relevant; 0 shares no content word with the question.

    Statistics come from these texts alone; stop words are dropped, plurals folded; a word that the
    question repeats counts once. Lucene's variant (Kamphuis et al., ECIR 2020), whose idf is never
    negative. The scale depends on the question: compare within one pool only.
    """
    documents = [content_words(text) for text in texts]
    known = set().union(*documents)
    asked = [word for word in dict.fromkeys(content_words(question)) if word in known]
    if not asked:
        return np.zeros(len(documents))
    from bm25s import BM25

    index = BM25(method="lucene", k1=K1, b=B, backend="numpy", dtype="float64")
    index.index(documents, show_progress=False)
    return np.asarray(index.get_scores(asked), dtype=np.float64)
