"""What bin/dev and bin/test need on this machine: a virtual environment, servers and a process launcher.

``venv``       the virtual environment (standard library only: it runs before anything is installed)
``local``      the state directory var/ with its generated settings
``tied``       starting a program that does not outlive us
``redis``      a Redis of our own
``postgres``   a throw-away PostgreSQL for the tests
``chromium``   the browser the tests drive
``documentation``  a real site that the tests read
``debian``     installing what is missing, where we may
``procfile``   reading the Procfile
``launcher``   running its processes
``dev``        bin/dev
``checks``     bin/test

Nothing here is used by the service itself.
"""
