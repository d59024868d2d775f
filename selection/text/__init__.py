"""Reading texts: tokens, sentences, statements, terms, TF-IDF and BM25.

The only place that uses language libraries; each is imported when first used, never before.
"""
