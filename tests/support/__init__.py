"""What several tests use: generated boards, golden records, models of the original programs."""
