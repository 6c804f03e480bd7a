"""tacit releases data without releasing people.

::

    import tacit

    report = tacit.profile(df)
    policy = tacit.Policy(k=5, quasi={"birth": tacit.dates(), "postcode": tacit.mask("right")},
                          sensitive=["diagnosis"], identifiers=["name"])
    release = tacit.anonymize(df, policy)     # raises tacit.Refused where no release keeps the promise
    release.data, release.report, release.judge.holds
    tacit.audit(release.data, policy, original=df).holds

Data is a pandas or polars DataFrame, anything with ``__arrow_c_stream__`` or ``__dataframe__``, or
the path of a file. It never leaves the process.
"""

from __future__ import annotations

from . import errors, reports
from ._api import (
    ProtectedTable,
    Release,
    Risk,
    Scrubbed,
    anonymize,
    audit,
    compare,
    explore,
    hierarchy,
    profile,
    protect,
    risk,
    scrub,
)
from ._arrow import Frame
from ._examples import example
from ._job import Choice, Setting, choices, kinds, settings
from ._library import version as __version__
from ._policy import (
    Hierarchy,
    Policy,
    column,
    dates,
    intervals,
    levels,
    mask,
    standard,
    tree,
)
from .errors import (
    FileError,
    InvalidError,
    LimitReached,
    ParseError,
    Refused,
    TacitError,
    TacitWarning,
)

__all__ = [
    "Choice",
    "FileError",
    "Frame",
    "Hierarchy",
    "InvalidError",
    "LimitReached",
    "ParseError",
    "Policy",
    "ProtectedTable",
    "Refused",
    "Release",
    "Risk",
    "Scrubbed",
    "Setting",
    "TacitError",
    "TacitWarning",
    "__version__",
    "anonymize",
    "audit",
    "choices",
    "column",
    "compare",
    "dates",
    "errors",
    "example",
    "explore",
    "hierarchy",
    "intervals",
    "kinds",
    "levels",
    "mask",
    "profile",
    "protect",
    "reports",
    "risk",
    "scrub",
    "settings",
    "standard",
    "tree",
]
