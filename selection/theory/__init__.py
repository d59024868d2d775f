"""The theory behind selection as small experiments: every figure is computed, none is typed."""
