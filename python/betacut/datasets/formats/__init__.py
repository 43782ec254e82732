"""The files that datasets are read from and written to, one module a format."""
