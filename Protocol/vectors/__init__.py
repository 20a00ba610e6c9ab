"""The readers of the vectors."""
