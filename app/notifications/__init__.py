"""The mails that people get: which kinds there are, who wants them, and how they are sent."""
