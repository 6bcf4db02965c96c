"""The letters that people get by mail, in the dashboard's words."""
