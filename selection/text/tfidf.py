"""How alike texts are by their words: cosine of TF-IDF, statistics of a pool or a collection."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from selection.model import FloatArray
from selection.text.terms import words


@dataclass(frozen=True, slots=True)
class DocumentFrequencies:
    """In how many of a collection's documents each word stands; absent words stand in none."""

    documents: int
    counts: Mapping[str, int]

    def idf(self, word: str) -> float:
        """Smooth inverse document frequency, ln((1 + N) / (1 + df)) + 1; 1 for a word in all."""
        return math.log((1 + self.documents) / (1 + self.counts.get(word, 0))) + 1.0


def document_frequencies(texts: Iterable[str]) -> DocumentFrequencies:
    """Count every word once a text. The texts may be a stream; only the words are kept."""
    counts: Counter[str] = Counter()
    documents = 0
    for text in texts:
        counts.update(set(_terms(text)))
        documents += 1
    return DocumentFrequencies(documents, counts)


def text_similarity(texts: Sequence[str]) -> FloatArray:
    """Cosine of TF-IDF over normalised words, digits kept, statistics of these texts alone.

    Shape (n, n), symmetric, in [0, 1], read-only: 0 shares no word, 1 has the same words equally
    often. The diagonal is exactly 1, and 0 for a blank text. Term counts are raw, idf is smooth
    (`DocumentFrequencies.idf`); Salton and Buckley 1988. The last few results are kept.
    """
    return _pool_similarity(tuple(texts))


def collection_similarity(texts: Sequence[str], frequencies: DocumentFrequencies) -> FloatArray:
    """The same cosine with the statistics of a whole collection; shape and range as above."""
    return _cosines(texts, frequencies)


@lru_cache(maxsize=8)
def _pool_similarity(texts: tuple[str, ...]) -> FloatArray:
    return _cosines(texts, None)


def _terms(text: str) -> list[str]:
    """The words; a text of signs only is one term of its own, so that its copies are seen."""
    bare = text.strip()
    return words(text) or ([bare] if bare else [])


def _cosines(texts: Sequence[str], frequencies: DocumentFrequencies | None) -> FloatArray:
    from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

    size = len(texts)
    matrix = np.zeros((size, size))
    if any(text.strip() for text in texts):
        vectorizer = CountVectorizer(analyzer=_terms, dtype=np.float64)
        counts = vectorizer.fit_transform(texts)
        transformer = TfidfTransformer(norm="l2", smooth_idf=True)
        if frequencies is None:
            transformer.fit(counts)
        else:
            transformer.idf_ = np.array(
                [frequencies.idf(term) for term in vectorizer.get_feature_names_out()]
            )
        unit = transformer.transform(counts)
        matrix = np.clip((unit @ unit.T).toarray(), 0.0, 1.0)
        np.fill_diagonal(matrix, [1.0 if text.strip() else 0.0 for text in texts])
    matrix.setflags(write=False)
    return matrix
