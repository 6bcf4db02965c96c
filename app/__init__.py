"""The SEO content service.

``factory``      creates the application
``api``          interface: the JSON API
``dashboard``    interface: the HTML dashboard
``jobs``         interface: tasks that RQ calls
``cli``          interface: the command line
``executions``   jobs: states, service, runner, dispatcher, reaper, rollback
``operations``   what a job can do
``publishing``   publish targets and publications
``content``      blog posts and how they are written
``keywords``     keywords and their coverage
``pages``        pages, sitemaps and page reading
``projects``     projects
``accounts``     accounts, passwords, API keys, limits
``language``     words, stems, sentences and phrases of each language
``infra``        database, queue, outbound HTTP, URLs, clock, logs, encryption
``config``       settings
``failures``     the failure catalogue

Imports go down this list only. This module imports nothing, so that pure modules are cheap to import.
"""
