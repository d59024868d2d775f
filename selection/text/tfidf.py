def text_similarity(texts): raise NotImplementedError
