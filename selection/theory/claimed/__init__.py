"""The claims, one file a family; `selection.theory.claims` finds them."""
