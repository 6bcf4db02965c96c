"""The quality gate: what is checked in a post, when it is made and before it is published."""
