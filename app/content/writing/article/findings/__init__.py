"""Rules that find what an editor would look at in a draft. They remove nothing."""
