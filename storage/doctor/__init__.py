"""The doctor: what can be expected of files before anything is stored."""

from storage.doctor.checks import Finding
from storage.doctor.examination import Examination, examine
from storage.doctor.outlook import Outlook

__all__ = ["Examination", "Finding", "Outlook", "examine"]
