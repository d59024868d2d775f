"""The database and the files. Knows the library, and nobody who draws."""

__version__ = "0.1.0"
