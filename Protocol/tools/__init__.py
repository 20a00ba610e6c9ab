"""The writer of what follows from the definitions, and the checks of the documents."""
