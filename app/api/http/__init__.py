"""The HTTP side of every endpoint: authentication, parsing, errors and documentation."""
