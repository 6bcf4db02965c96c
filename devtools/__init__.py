"""What bin/dev and bin/test need on this machine: a virtual environment, servers and a process launcher.

``venv``       the virtual environment (standard library only: it runs before anything is installed)
``local``      the state directory var/ with its generated settings
``tied``       starting a program that ends with this process
``embedded_redis``  a Redis of our own
``postgres``   a throw-away PostgreSQL for the tests
``chromium``   the browser the tests drive
``documentation``  a real documentation site that the tests read
``debian``     installing missing Debian packages
``procfile``   reading the Procfile
``launcher``   running its processes
``dev``        bin/dev
``checks``     bin/test
``demo``, ``demo_site``, ``demo_content``  bin/demo
``failures_doc``, ``tables_doc``, ``languages_doc``  the generated pages of docs/

The service itself uses none of these.
"""
