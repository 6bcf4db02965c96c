"""FACE  HTML. What marketers use: server-rendered pages that work without JavaScript."""
