"""The laboratory: checks of searches, certificates, fuzzing, benchmarks."""
