"""Files with rows, as people bring and take them: CSV in its dialects, and zips of such files."""
