"""Tests of datasets: columns, formats, units, runs that are disturbed."""
