"""Claims that say the same: found by similarity, merged or kept apart by a person, undoable."""
