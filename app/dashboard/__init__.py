"""The interface for marketers: server-rendered pages that work without JavaScript."""
