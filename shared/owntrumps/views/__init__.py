"""What one seat, or a spectator, may see. Every outbound byte of a match passes through here. Pure."""
