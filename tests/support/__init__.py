"""The servers, processes and databases that tests run against."""
