"""The SEO content service. The map of the house, top floor first.

``factory``      puts the application together
``api``          face: JSON, for integrators
``dashboard``    face: HTML, for marketers
``jobs``         face: what RQ calls
``cli``          face: the command line
``executions``   room: execution jobs, their states, runner, dispatcher, rollback
``operations``   stair: what an execution job can do
``publishing``   room: publish targets and publications
``content``      room: blog posts and how they are written
``keywords``     room: keywords and their coverage
``pages``        room: pages, sitemaps and page reading
``projects``     room: projects
``accounts``     room: accounts, passwords, API keys, limits
``infra``        ground: database, queue, outbound HTTP, clock, logs, crypto
``config``       settings
``failures``     the failure catalogue

Imports go down only. This package file imports nothing, so that a pure module stays cheap to import.
"""
