"""What everything stands on: arguments, messages, exceptions, positions, scores."""
