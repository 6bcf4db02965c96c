"""What happens to an account that goes: it is blocked, exported, deleted."""
