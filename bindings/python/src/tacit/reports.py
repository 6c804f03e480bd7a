"""What a job has to say, as dataclasses.

Names are those of the JSON report (docs/library.md). What only some jobs say, such as the facts of
one attack, is in ``more`` or in a field without a class of its own; it is a dataclass, too, made for
what there is, so that ``report.attacks["sensitive"].more.columns[0].prior`` works everywhere.
"""

from __future__ import annotations

import dataclasses
import functools
import html
import json
import keyword
import os
import re
import sys
import typing
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, TypeVar, Union

__all__ = [
    "AnonymizeReport",
    "Attack",
    "AttackOnRecords",
    "AuditReport",
    "Candidate",
    "CellAudit",
    "ColumnProfile",
    "ColumnRisk",
    "CompareReport",
    "ExploreReport",
    "Finding",
    "HierarchyReport",
    "Identifiers",
    "Judge",
    "LevelOfTable",
    "LostInformation",
    "Point",
    "Prediction",
    "ProfileReport",
    "ProtectReport",
    "Relinked",
    "Report",
    "RiskMeasures",
    "RiskReport",
    "ScrubReport",
    "ScrubTotals",
    "SetRisk",
    "SetVerdict",
    "Suda",
]


# ---- parts of reports ----


@dataclass
class Finding:
    """Something that breaks the promise. Rows count from 1; 0: of no row in particular."""

    message: str
    kind: str = ""
    row: int = 0
    count: int = 0

    def __str__(self) -> str:
        return self.message


@dataclass
class SetVerdict:
    """What the judge counted on one quasi-identifier."""

    classes: int
    smallest: int
    rows_below: int
    more: Any = None


@dataclass
class Judge:
    """The verdict of the judge, who has read the release back and counted by himself."""

    holds: bool
    findings: List[Finding] = field(default_factory=list)
    sets: List[SetVerdict] = field(default_factory=list)
    models: List[Any] = field(default_factory=list)
    suppressed_rows: int = 0
    unreleased_rows: int = 0
    rows_matched: bool = False
    values_checked: bool = False
    people_counted: bool = False
    more: Any = None


@dataclass
class Attack:
    """What an attack on the release came to; ``more`` has what it measured."""

    discloses: bool
    sentence: str
    seconds: float = 0.0
    more: Any = None


@dataclass
class Identifiers:
    """Columns that name people: those left out, and those replaced by pseudonyms."""

    dropped: List[str] = field(default_factory=list)
    pseudonyms: List[str] = field(default_factory=list)


@dataclass
class Prediction:
    """How well a column can be predicted by what is learned from the data and from the release."""

    target: str
    classes: bool
    tested: int
    before: Optional[float] = None
    after: Optional[float] = None
    baseline: Optional[float] = None
    kept: Optional[float] = None
    more: Any = None


@dataclass
class LostInformation:
    """What the release has lost of the data."""

    attributes: List[Any] = field(default_factory=list)
    pairs: List[Any] = field(default_factory=list)
    total: Any = None
    prediction: Optional[Prediction] = None
    more: Any = None


@dataclass
class AttackOnRecords:
    """One way to find the people behind released records, and how many it found."""

    by: str
    attacked: int
    right: float
    share: float
    low: float
    high: float
    more: Any = None


@dataclass
class Relinked:
    """How many released records an adversary finds the person of."""

    records: int
    people: int
    share: Optional[float] = None
    best: Optional[str] = None
    unprotected: Optional[float] = None
    guessing: Optional[float] = None
    attacks: List[AttackOnRecords] = field(default_factory=list)
    agreement: List[Any] = field(default_factory=list)
    protection: List[Any] = field(default_factory=list)
    more: Any = None


# ---- reports ----


@dataclass
class _Rendered:
    raw: Dict[str, Any]
    page: str
    text: str


_HEIGHT = 520


@dataclass(repr=False)
class Report:
    """What every report has. In a notebook it shows itself as the page that the command writes with
    ``--html``; ``print(report)`` is what the command prints."""

    tacit: str = ""
    command: str = ""
    seconds: Dict[str, float] = field(default_factory=dict)
    more: Any = None

    def _put(self, rendered: _Rendered) -> None:
        self._rendered = rendered

    @property
    def html(self) -> str:
        """The report as a page to read."""
        return self._rendered.page

    def to_dict(self) -> Dict[str, Any]:
        """The report as the command writes it with ``--report``."""
        return self._rendered.raw

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the report: a page where the name ends in ``.html``, else JSON. It is the data
        holder's, like the data."""
        with open(path, "w", encoding="utf-8") as file:
            if os.fspath(path).lower().endswith((".html", ".htm")):
                file.write(self.html)
            else:
                json.dump(self.to_dict(), file, ensure_ascii=False, indent=2)
                file.write("\n")

    def __str__(self) -> str:
        return self._rendered.text.rstrip("\n")

    def __repr__(self) -> str:
        shown = (
            f"{each.name}={getattr(self, each.name)!r}"
            for each in dataclasses.fields(self)
            if isinstance(getattr(self, each.name), (bool, int, float, str))
            and each.name not in ("tacit", "command")
        )
        return f"{type(self).__name__}({', '.join(shown)})"

    def _repr_html_(self) -> str:
        # A frame of its own: neither the page's style nor the notebook's reaches the other.
        return (
            f'<iframe srcdoc="{html.escape(self.html, quote=True)}" sandbox="" '
            f'style="width:100%;height:{_HEIGHT}px;border:1px solid #ccc"></iframe>'
        )


@dataclass(repr=False)
class AnonymizeReport(Report):
    """How a release of records was made, and what is known of it."""

    method: str = ""
    rows: int = 0
    k: int = 0
    people: bool = False
    loss: Optional[float] = None
    order: str = ""
    quasi: List[str] = field(default_factory=list)
    levels: Dict[str, int] = field(default_factory=dict)
    heights: Dict[str, int] = field(default_factory=dict)
    cell_levels: List[Any] = field(default_factory=list)
    identifiers: Identifiers = field(default_factory=Identifiers)
    suppressed_rows: int = 0
    complementary: int = 0
    suppressed_cells: int = 0
    precision: Optional[float] = None
    precision_weighted: Optional[float] = None
    quasi_identifiers: int = 0
    combinations: int = 0
    classes: int = 0
    smallest_class: int = 0
    largest_class: int = 0
    average_class: Optional[float] = None
    average_class_ratio: Optional[float] = None
    discernibility: Optional[float] = None
    entropy: Optional[float] = None
    granularity: Optional[float] = None
    loss_score: Optional[float] = None
    height: Optional[float] = None
    cell_metrics: Dict[str, float] = field(default_factory=dict)
    metric: Optional[str] = None
    metric_value: Optional[float] = None
    cost: Optional[float] = None
    lower_bound: Optional[float] = None
    gap: Optional[float] = None
    proven: bool = False
    stopped: bool = False
    judge: Judge = field(default_factory=lambda: Judge(holds=False))
    attacks: Dict[str, Attack] = field(default_factory=dict)
    information_loss: Optional[LostInformation] = None
    relinked: Optional[Relinked] = None


@dataclass(repr=False)
class AuditReport(Report):
    """What the judge and the attacks make of a release; ``discloses`` if any promise is broken."""

    rows: int = 0
    k: int = 0
    quasi: List[str] = field(default_factory=list)
    smallest_class: int = 0
    judge: Judge = field(default_factory=lambda: Judge(holds=True))
    attacks: Dict[str, Attack] = field(default_factory=dict)
    discloses: bool = False

    @property
    def holds(self) -> bool:
        """Whether the promise holds and no attack discloses anything."""
        return not self.discloses


@dataclass
class ColumnProfile:
    """What a column seems to hold, and the role it should have."""

    name: str
    type: str
    role: str
    distinct: int
    missing: int
    reason: str = ""
    about: str = ""
    top_share: Optional[float] = None
    more: Any = None


@dataclass(repr=False)
class ProfileReport(Report):
    """The columns of the data, and how many rows are unique."""

    rows: int = 0
    columns: List[ColumnProfile] = field(default_factory=list)
    quasi_count: int = 0
    classes: int = 0
    unique_rows: int = 0
    rows_below: int = 0
    rows_below_k: int = 0
    person: Optional[str] = None
    policy: Any = None
    """A draft to start from, a :class:`tacit.Policy`."""


@dataclass
class ColumnRisk:
    """What a column contributes to the risk of records."""

    name: str
    share_of_score: float
    score: float
    prime_implicants: int
    records: int
    only: int
    more: Any = None


@dataclass
class SetRisk:
    """How many records a set of columns singles out."""

    columns: List[str]
    records: int
    share: Optional[float] = None
    more: Any = None


@dataclass
class Suda:
    """SUDA scores."""

    total: float
    highest: float
    fraction: Optional[float] = None
    highest_dis: Optional[float] = None
    file_dis: Optional[float] = None
    more: Any = None


@dataclass
class RiskMeasures:
    """Risk of re-identification where the records are a sample of a population."""

    classes: int = 0
    alone: int = 0
    expected: Optional[float] = None
    highest: Optional[float] = None
    threshold: Optional[float] = None
    above_threshold: int = 0
    prosecutor: Any = None
    journalist: Any = None
    marketer: Any = None
    population_uniques: Any = None
    more: Any = None


@dataclass(repr=False)
class RiskReport(Report):
    """Which records stand out, and through which columns."""

    records: int = 0
    k: int = 1
    at_risk: int = 0
    prime_implicants: int = 0
    missing: str = ""
    by_size: Dict[str, int] = field(default_factory=dict)
    complete_to: int = 0
    stopped: bool = False
    measures: Any = None
    columns: List[ColumnRisk] = field(default_factory=list)
    combinations: List[SetRisk] = field(default_factory=list)
    groups: List[SetRisk] = field(default_factory=list)
    suda: Optional[Suda] = None
    risk: Optional[RiskMeasures] = None


@dataclass
class LevelOfTable:
    """The cells on one level of a dimension."""

    dimension: str
    level: int
    cells: int
    primary: int
    secondary: int
    value_primary: Optional[float] = None
    value_secondary: Optional[float] = None
    more: Any = None


@dataclass
class CellAudit:
    """What the judge found out about suppressed cells."""

    disclosed: int = 0
    underprotected: int = 0
    more: Any = None


@dataclass(repr=False)
class ProtectReport(Report):
    """How a table was protected."""

    method: str = ""
    cells: int = 0
    relations: int = 0
    primary: int = 0
    secondary: int = 0
    primary_value: Optional[float] = None
    secondary_value: Optional[float] = None
    cost: Optional[float] = None
    lower_bound: Optional[float] = None
    gap: Optional[float] = None
    proven: bool = False
    stopped: bool = False
    audit: Optional[CellAudit] = None
    levels: List[LevelOfTable] = field(default_factory=list)


@dataclass
class ScrubTotals:
    """What was found, in numbers."""

    documents: int = 0
    touched: int = 0
    spans: int = 0
    kinds: Dict[str, int] = field(default_factory=dict)
    more: Any = None


@dataclass(repr=False)
class ScrubReport(Report):
    """What was found in text and replaced. Such text is de-identified, never anonymous."""

    totals: ScrubTotals = field(default_factory=ScrubTotals)
    threshold: float = 0.0
    consistent: str = ""
    known: int = 0
    replace: Dict[str, str] = field(default_factory=dict)
    anonymous: bool = False
    rare: Any = None
    caution: str = ""


@dataclass
class Candidate:
    """A policy that was compared: what its release would lose, and whom it would expose."""

    policy: str
    method: str
    k: int = 0
    released: bool = False
    frontier: bool = False
    refused: Optional[str] = None
    rows: Optional[int] = None
    lost: Optional[float] = None
    il1s: Optional[float] = None
    pmse: Optional[float] = None
    precision: Optional[float] = None
    relinked: Optional[float] = None
    relinked_low: Optional[float] = None
    relinked_high: Optional[float] = None
    null_map: Optional[bool] = None
    wrong_map: Optional[bool] = None
    k_map: Optional[bool] = None
    attack: Optional[str] = None
    seconds: float = 0.0
    more: Any = None


@dataclass(repr=False)
class CompareReport(Report):
    """Policies side by side: information lost against records that can be re-linked."""

    policies: List[Candidate] = field(default_factory=list)

    def plot(self, ax: Any = None) -> Any:
        """Draws what each policy loses against whom it exposes, and the frontier; returns the Axes
        of Matplotlib."""
        if ax is None:
            from matplotlib import pyplot

            ax = pyplot.subplots()[1]
        released = [each for each in self.policies if each.released]
        best = sorted((each for each in released if each.frontier), key=lambda each: each.lost or 0)
        ax.plot(*_points(best), color="0.7", zorder=1)
        for each in released:
            x, y = each.lost, each.relinked
            low, high = each.relinked_low, each.relinked_high
            if low is not None and high is not None:
                ax.vlines(x, low, high, color="0.8", zorder=1)
            ax.scatter(x, y, color="tab:blue" if each.frontier else "0.5", zorder=2)
            ax.annotate(each.policy, (x, y), xytext=(4, 4), textcoords="offset points")
        ax.set_xlabel("information lost")
        ax.set_ylabel("records that can be re-linked")
        ax.set_xlim(-0.02, 1.02)
        ax.set_ylim(-0.02, 1.02)
        return ax


def _points(candidates: List[Candidate]) -> tuple[List[Optional[float]], List[Optional[float]]]:
    return [each.lost for each in candidates], [each.relinked for each in candidates]


@dataclass
class Point:
    """What a release would be worth for one k and share of suppressed rows."""

    method: str
    k: int
    state: str
    loss: Optional[float] = None
    metric_value: Optional[float] = None
    precision: Optional[float] = None
    suppressed_rows: Optional[int] = None
    classes: Optional[int] = None
    cost: Optional[float] = None
    lower_bound: Optional[float] = None
    proven: bool = False
    stopped: bool = False
    seconds: float = 0.0
    more: Any = None


@dataclass(repr=False)
class ExploreReport(Report):
    """What each k would cost."""

    explore: bool = True
    rows: int = 0
    people: bool = False
    quasi: List[str] = field(default_factory=list)
    metric: str = ""
    curve: List[Point] = field(default_factory=list)
    stopped: bool = False


@dataclass(repr=False)
class HierarchyReport(Report):
    """The values of a column, and what is wrong with a hierarchy for them."""

    column: str = ""
    rows: int = 0
    missing: int = 0
    distinct: int = 0
    broken: int = 0
    lacking: int = 0
    unused: int = 0


# ---- from JSON ----

_T = TypeVar("_T")

# Objects whose keys are data, such as names of columns: they stay dictionaries.
_BY_DATA = {
    "levels", "heights", "columns", "by_size", "records", "kinds", "seconds", "replace",
    "records_by_people", "people_by_records", "first",
}  # fmt: skip


@functools.lru_cache(maxsize=None)
def _hints(cls: type) -> Dict[str, Any]:
    return typing.get_type_hints(cls, vars(sys.modules[__name__]))


def of_json(cls: type[_T], raw: Dict[str, Any]) -> _T:
    """An object of a class above; what the class does not know is in ``more``."""
    hints = _hints(typing.cast(typing.Hashable, cls))
    known = {name: _convert(hints[name], value, name) for name, value in raw.items() if name in hints}
    rest = {name: value for name, value in raw.items() if name not in hints}
    if rest and "more" in hints:
        known["more"] = _open("More", rest)
    return cls(**known)


def _convert(hint: Any, value: Any, name: str) -> Any:
    if value is None:
        return None
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Union:
        return _convert(arguments[0], value, name)
    if origin is list and isinstance(value, list):
        return [_convert(arguments[0], each, name) for each in value]
    if origin is dict and isinstance(value, dict):
        return {key: _convert(arguments[1], each, key) for key, each in value.items()}
    if dataclasses.is_dataclass(hint) and isinstance(value, dict):
        return of_json(typing.cast(type, hint), value)
    return _details(name, value) if hint is Any else value


def _details(name: str, value: Any) -> Any:
    """The same with dataclasses in place of dictionaries that are records."""
    if isinstance(value, list):
        return [_details(f"{name} item", each) for each in value]
    if not isinstance(value, dict):
        return value
    names_things = name not in _BY_DATA and all(key.isidentifier() for key in value)
    if not names_things:
        return {key: _details(name, each) for key, each in value.items()}
    return _open("".join(part.title() for part in re.split("[^A-Za-z0-9]+", name)), value)


def _open(name: str, value: Dict[str, Any]) -> Any:
    """A dataclass made for what there is; ``from`` is called ``from_``."""
    fields = {
        re.sub(r"\W", "_", key) + "_" * keyword.iskeyword(key): _details(key, each)
        for key, each in value.items()
    }
    return _class_of(name, tuple(fields))(**fields)


@functools.lru_cache(maxsize=512)
def _class_of(name: str, fields: tuple[str, ...]) -> Any:
    return dataclasses.make_dataclass(name, fields, namespace={"__module__": __name__})
