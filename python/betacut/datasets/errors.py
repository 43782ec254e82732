"""The error of datasets."""


class DatasetError(ValueError):
    """A file or a folder that cannot be read or written as asked; the message says what to do."""
