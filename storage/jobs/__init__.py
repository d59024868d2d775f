"""Long work in a process of its own: queued, counted, cancelled, and gone on with after a kill.

`submit` queues a job, `python -m storage.jobs` works the queue off, and `start` starts that process
from elsewhere. All that a job has done stands in the database, so that nothing is lost with it.
"""

from storage.jobs.lookup import job, jobs
from storage.jobs.queue import cancel, forget, go_on, submit
from storage.jobs.starting import start
from storage.jobs.view import JobView

__all__ = ["JobView", "cancel", "forget", "go_on", "job", "jobs", "start", "submit"]
