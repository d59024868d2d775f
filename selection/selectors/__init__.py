"""One file a selector. Importing a module registers it; nothing is listed here."""
