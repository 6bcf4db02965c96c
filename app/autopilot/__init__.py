"""The autopilot of a project: writes and publishes posts by itself, on days that a person chose."""
