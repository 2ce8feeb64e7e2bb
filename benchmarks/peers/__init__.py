"""Other systems, measured in the same run as ours."""
