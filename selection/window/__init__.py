"""The whole context window: its slices, what gives way when one overspends, and the prompt."""
