"""Claims extracted by a language model: asked for, priced, capped, and kept by content."""
