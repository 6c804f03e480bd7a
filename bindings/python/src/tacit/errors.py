"""What goes wrong, as exceptions. Messages say what is wrong, where, and what to do; they never show
values of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from .reports import Judge, RiskReport

__all__ = [
    "TacitError",
    "InvalidError",
    "ParseError",
    "FileError",
    "Refused",
    "LimitReached",
    "TacitWarning",
]


class TacitError(Exception):
    """Anything that tacit could not do."""


class InvalidError(TacitError, ValueError):
    """A policy, a setting or a frame that makes no sense."""


class ParseError(TacitError, ValueError):
    """A file or frame is not what it should be; the message says in which line and column."""


class FileError(TacitError, OSError):
    """The operating system refused to read or write."""


class LimitReached(TacitError):
    """A limit that was set, such as ``time``, was reached before there was a result.

    Attributes:
        report: of :func:`tacit.risk`, what was found by then; else ``None``.
    """

    report: RiskReport | None = None


class Refused(TacitError):
    """No release keeps the promise, so there is none.

    Attributes:
        findings: what was found, one sentence each, the first one first.
        judge: the same as the verdict of a report: ``holds`` is ``False``.
    """

    def __init__(self, message: str, findings: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.findings: list[str] = list(findings) or [message]

    @property
    def judge(self) -> Judge:
        """The same as the verdict of a report."""
        from .reports import Finding, Judge

        return Judge(holds=False, findings=[Finding(text) for text in self.findings])


class TacitWarning(UserWarning):
    """Something that the data holder should know, such as a column without a role."""
