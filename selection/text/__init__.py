"""Reading texts: tokens, sentences, terms, TF-IDF and BM25. Language libraries load when first used."""
