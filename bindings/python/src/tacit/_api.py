"""What a data scientist calls: one function for each kind of job.

Every function takes, beside its own parameters, the settings of its kind of job as keyword
arguments, by the names of the command's options with ``_`` for ``-``; :func:`tacit.settings` lists
them with their help.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional, Sequence, TypeVar, Union

from . import _frames, reports
from ._arrow import Frame
from ._job import Job, settings
from ._policy import Hierarchy, PathLike, Policy, _memory, levels
from .errors import InvalidError, LimitReached

__all__ = [
    "ProtectedTable",
    "Release",
    "Risk",
    "Scrubbed",
    "anonymize",
    "audit",
    "compare",
    "explore",
    "hierarchy",
    "profile",
    "protect",
    "risk",
    "scrub",
]

AnyPolicy = Union[Policy, PathLike, None]
AnyReport = TypeVar("AnyReport", bound=reports.Report)


# ---- what the functions share ----


def _report(job: Job, cls: type[AnyReport]) -> AnyReport:
    """The report of a job that was committed."""
    raw = job.report()
    report = reports.of_json(cls, raw)
    report._put(reports._Rendered(raw, job.page(), job.text()))
    return report


def _report_at(fd: int, cls: type[AnyReport]) -> Optional[AnyReport]:
    """The report that a job has written to a descriptor; None if it has not."""
    text = os.pread(fd, os.fstat(fd).st_size, 0).decode("utf-8", "replace")
    if not text:
        return None
    report = reports.of_json(cls, json.loads(text))
    report._put(reports._Rendered(json.loads(text), "", ""))
    return report


_ROLES = {"quasi": "quasi", "sensitive": "sensitive", "identifiers": "identifier",
          "insensitive": "insensitive"}  # fmt: skip


@contextlib.contextmanager
def _job(
    kind: str, data: Any, policy: AnyPolicy, given: Mapping[str, Any], *, several: bool = False
) -> Iterator[Job]:
    """A job with its inputs and everything that it was told."""
    policy, rest = _policy_of(kind, policy, given)
    with contextlib.ExitStack() as stack:
        job = stack.enter_context(Job(kind))
        if isinstance(policy, Policy):
            path = stack.enter_context(policy._as_file())
            if policy._path is None:
                job.hide(os.path.dirname(path))
            job.set("policy", path)
        elif policy is not None:
            job.set("policy", os.fspath(policy))
        job.apply(rest)
        for each in data if several else [data]:
            job.input(each)
        yield job


def _policy_of(
    kind: str, policy: AnyPolicy, given: Mapping[str, Any]
) -> tuple[AnyPolicy, dict[str, Any]]:
    """A policy made of the keywords that are keys of one, if none was given; and the other ones."""
    keys = {each.name for each in settings(kind) if each.is_policy}
    named = {name for name in given if name in _ROLES or name.replace("_", "-") in keys}
    if policy is None and named & set(_ROLES):
        made = Policy(**{name: given[name] for name in given if name in named})
        return made, {name: value for name, value in given.items() if name not in named}
    return policy, {_ROLES.get(name, name): value for name, value in given.items()}


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """A folder for files that a job reads or writes, in memory where the system has files there."""
    with tempfile.TemporaryDirectory(dir=_memory(), prefix="tacit-") as folder:
        yield Path(folder)


# ---- records ----


@dataclass(repr=False)
class Release:
    """A release that the judge has approved.

    Attributes:
        data: the released rows, as the kind of frame that went in. Columns keep their types where
            all their cells still are such values; generalized ones are text. None where the release
            went to an ``output``.
        report: how it was made, and what is known of it.
    """

    data: Any
    report: reports.AnonymizeReport
    _table: Optional[Frame] = field(repr=False)
    _job: Optional[Job] = field(repr=False, default=None)

    @property
    def judge(self) -> reports.Judge:
        """The verdict of the judge."""
        return self.report.judge

    def save(self, path: PathLike) -> None:
        """Writes the release as a file in the format that its name ends in, as the command would:
        ``.csv``, ``.csv.gz``, ``.dta``, ``.sav`` and so on. It appears whole or not at all. What
        was read from a file of Stata, SPSS or SAS keeps its labels and display formats."""
        if self._job is not None:
            self._job.save(path)
        else:
            self._here().save(path)

    def _here(self) -> Frame:
        if self._table is None:
            raise InvalidError("the release went to its output, and is not here")
        return self._table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The released rows for others, by the Arrow PyCapsule interface."""
        return self._here().__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return len(self._here())

    def __repr__(self) -> str:
        if self._table is None:
            return f"<tacit.Release, elsewhere, k = {self.report.k}>"
        columns = len(self._table.columns)
        return f"<tacit.Release of {len(self)} rows, {columns} columns, k = {self.report.k}>"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def anonymize(
    data: Any,
    policy: AnyPolicy = None,
    *,
    output: Optional[PathLike] = None,
    progress: Optional[bool] = None,
    **settings: Any,
) -> Release:
    """Generalizes and suppresses quasi-identifying values until the policy's promise holds.

    Args:
        data: a pandas or polars DataFrame, anything with ``__arrow_c_stream__`` or
            ``__dataframe__``, the path of a file, or the place of a table in a database
            (``postgresql://host/ward?table=patients``). An index is ignored. Rows of the release
            are shuffled unless ``keep_order=True``.
        policy: a :class:`Policy` or the path of a policy file; instead of one, its keys may be given
            as keyword arguments: ``anonymize(df, k=5, quasi=["birth", "sex"])``.
        output: a file or a table of a database for the release, which then is not in ``data``. A
            release of a table in a database is made inside it where it has an ``output`` there.
        progress: whether to show a progress bar (by tqdm, where it is installed); unless given, on
            terminals and in notebooks.
        **settings: options of the command, ``_`` for ``-``: ``seed=1``, ``evaluate=True``,
            ``target="diagnosis"``, ``time=60``. Those that are files of records (``previous``,
            ``population``) may be frames. See ``tacit.settings("anonymize")``.

    Raises:
        Refused: no release keeps the promise; its ``findings`` say why.
    """
    with _job("anonymize", data, policy, settings) as job:
        if output is None:
            job.output_frame("output")
        else:
            job.set("output", os.fspath(output))
        job.run(progress)
        job.commit()
        report = _report(job, reports.AnonymizeReport)
        if output is not None:
            return Release(None, report, None)
        table = job.frame("output")
        # What a file says beside its values is in the job alone.
        kept = None if _frames.is_frame(data) else job.keep()
    return Release(_frames.kind_of(data).make(table), report, table, kept)


def explore(
    data: Any,
    policy: AnyPolicy = None,
    *,
    k: Optional[Sequence[int]] = None,
    loss: Optional[Sequence[float]] = None,
    progress: Optional[bool] = None,
    **settings: Any,
) -> reports.ExploreReport:
    """What each k and each share of suppressed rows would cost, with each method; releases nothing.

    Args:
        data: as for :func:`anonymize`.
        policy: as for :func:`anonymize`; it needs no k.
        k: the values to explore; round numbers up to 100 unless given.
        loss: the shares to explore; round numbers up to 0.1 unless given.
        progress: as for :func:`anonymize`.
        **settings: as for :func:`anonymize`.
    """
    settings.update(explore=True, explore_k=k, explore_loss=loss)
    with _job("anonymize", data, policy, settings) as job:
        # The table that the command prints goes where nobody reads it: it is in the report.
        with open(os.devnull, "wb") as nowhere:
            job.output_descriptor("output", nowhere.fileno())
            job.run(progress)
            job.commit()
        return _report(job, reports.ExploreReport)


def audit(
    data: Any,
    policy: AnyPolicy = None,
    *,
    original: Any = None,
    progress: Optional[bool] = None,
    **settings: Any,
) -> reports.AuditReport:
    """Judges a release by the promise of its policy, and attacks it.

    Args:
        data: the release, a frame or the path of a file.
        policy: a :class:`Policy`, the path of a policy file, or keyword arguments in place of it.
        original: the data that the release was made from, to compare values and rows with.
        progress: as for :func:`anonymize`.
        **settings: options of the command: ``population=register``, ``previous=[earlier]``. See
            ``tacit.settings("audit")``.

    Returns:
        The report; ``holds`` says whether the promise holds and no attack discloses anything.
    """
    with _job("audit", data, policy, {**settings, "original": original}) as job:
        job.run(progress)
        discloses = job.discloses
        job.commit()
        report = _report(job, reports.AuditReport)
    report.discloses = discloses
    return report


def profile(
    data: Any, *, progress: Optional[bool] = None, **settings: Any
) -> reports.ProfileReport:
    """What each column seems to hold, the role it should have, and how many rows are unique.

    Returns:
        The report. Its ``policy`` is a draft to start from, which can be used as it is; read it
        before (``print(report.policy.yaml)``): only you know what others know.
    """
    with _folder() as folder, _job("profile", data, None, settings) as job:
        job.set("policy-out", str(folder / "policy.yaml"))
        job.run(progress)
        job.commit()
        report = _report(job, reports.ProfileReport)
        text = (folder / "policy.yaml").read_text(encoding="utf-8")
        beside = {
            file.name: file.read_text(encoding="utf-8")
            for file in folder.iterdir()
            if file.name != "policy.yaml"
        }
    report.policy = Policy._of_text(text, beside)
    return report


def hierarchy(
    data: Any,
    column: str,
    *,
    group: Optional[str] = None,
    like: Union[Hierarchy, PathLike, None] = None,
    progress: Optional[bool] = None,
    **settings: Any,
) -> Hierarchy:
    """A hierarchy for the values that a column has, to be used in a policy.

    Args:
        data: as for :func:`anonymize`.
        column: its name.
        group: ``"name"`` puts values together that begin with the same words, ``"frequency:5,20"``
            rare ones, ``"name+frequency:5,20"`` does both.
        like: a rule or file to take the groups from: ``tacit.mask("right")``.
        progress: as for :func:`anonymize`.
        **settings: see ``tacit.settings("hierarchy")``.
    """
    import csv

    if isinstance(like, Hierarchy):
        settings["from"] = like._flag()
    elif like is not None:
        settings["from"] = os.fspath(like)
    settings.update(column=column, group=group)
    with _folder() as folder, _job("hierarchy", data, None, settings) as job:
        file = folder / "hierarchy.csv"
        job.set("output", str(file))
        job.run(progress)
        job.commit()
        with open(file, newline="", encoding="utf-8") as opened:
            return levels(list(csv.reader(opened, delimiter=";")))


@dataclass(repr=False)
class Risk:
    """Which records stand out, and through which columns.

    Attributes:
        report: the numbers.
        sets: a row for each prime implicant (minimal sample unique) of each record: the smallest
            sets of columns that single it out.
        records: a row for each record: its risk and its scores.
        groups: a row for each set of columns, with the records that it singles out.
    """

    report: reports.RiskReport
    sets: Any
    records: Any
    groups: Any

    def __repr__(self) -> str:
        return f"<tacit.Risk: {self.report.at_risk} of {self.report.records} records at risk>"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


_RISK_TABLES = ("sets", "records", "groups")


def risk(
    data: Any,
    policy: AnyPolicy = None,
    *,
    tables: Sequence[str] = _RISK_TABLES,
    progress: Optional[bool] = None,
    **settings: Any,
) -> Risk:
    """Finds the records that share the values of some columns with no other record, or with few.

    Raises:
        LimitReached: ``time`` or ``memory`` ended the search; its ``report`` has what was found.

    Args:
        data: as for :func:`anonymize`.
        policy: a policy whose quasi-identifiers are the columns; or say ``quasi=[...]``.
        tables: which of ``sets``, ``records`` and ``groups`` to make; on large data each is long.
        progress: as for :func:`anonymize`.
        **settings: ``k=3``, ``max_size=4``, ``fraction=0.01``; see ``tacit.settings("risk")``.
    """
    kind = _frames.kind_of(data).without_types()
    with _job("risk", data, policy, settings) as job:
        for name in tables:
            job.output_frame(name)
        with _memory_file() as fd:
            if "report" not in settings:
                job.output_descriptor("report", fd)
            try:
                job.run(progress)
                job.commit()
            except LimitReached as reached:
                reached.report = _report_at(fd, reports.RiskReport)
                raise
        made = {name: kind.make(job.frame(name)) for name in tables}
        report = _report(job, reports.RiskReport)
    return Risk(report, *(made.get(name) for name in _RISK_TABLES))


def compare(
    data: Any,
    policies: Union[Sequence[AnyPolicy], Mapping[str, AnyPolicy]],
    *,
    progress: Optional[bool] = None,
    **settings: Any,
) -> reports.CompareReport:
    """What the release of each policy would lose, and how many of its records can be re-linked.

    Args:
        data: as for :func:`anonymize`.
        policies: policies or paths of policy files; a mapping gives them names.
        progress: as for :func:`anonymize`.
        **settings: ``target="diagnosis"``; see ``tacit.settings("compare")``.

    Returns:
        The report; ``plot()`` draws it.
    """
    named = (
        dict(policies)
        if isinstance(policies, Mapping)
        else {_name_of(policy, i): policy for i, policy in enumerate(policies)}
    )
    with _folder() as folder:
        paths = [_place(folder / str(i), name, policy) for i, (name, policy) in enumerate(named.items())]
        with _job("compare", data, None, settings) as job:
            job.set("policies", ",".join(paths))
            job.run(progress)
            job.commit()
            report = _report(job, reports.CompareReport)
    for candidate, name in zip(report.policies, named):
        candidate.policy = name
    return report


def _name_of(policy: AnyPolicy, index: int) -> str:
    path = policy._path if isinstance(policy, Policy) else policy
    return Path(path).stem if path is not None else f"policy {index + 1}"


def _place(folder: Path, name: str, policy: AnyPolicy) -> str:
    """The path of a policy's file, which is in the folder unless it has one already."""
    path = policy._path if isinstance(policy, Policy) else policy
    if path is not None:
        found = os.path.abspath(path)
        if "," in found:
            raise InvalidError("the path of a policy to compare has a comma in it")
        return found
    assert isinstance(policy, Policy)
    folder.mkdir()
    file = folder / (re.sub("[^A-Za-z0-9 _-]", "_", name) + ".yaml")
    policy.save(file)
    return str(file)


# ---- tables ----


@dataclass(repr=False)
class ProtectedTable:
    """A statistical table that the judge has approved.

    Attributes:
        data: a row for each cell, as the kind of frame that went in.
        report: how it was protected.
    """

    data: Any
    report: reports.ProtectReport
    _table: Frame = field(repr=False)

    def save(self, path: PathLike) -> None:
        """Writes the table as a file in the format that its name ends in."""
        self._table.save(path)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The cells for others, by the Arrow PyCapsule interface."""
        return self._table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        report = self.report
        hidden = f"{report.primary} primary and {report.secondary} secondary suppressions"
        return f"<tacit.ProtectedTable of {report.cells} cells, {hidden}>"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def protect(
    data: Any,
    dims: Union[Sequence[str], Mapping[str, Any]],
    *,
    value: Optional[str] = None,
    rules: Union[str, Sequence[str]] = (),
    progress: Optional[bool] = None,
    **settings: Any,
) -> ProtectedTable:
    """Makes a table from records, or takes one of cells, and suppresses what must not be known.

    Args:
        data: a frame or path; a list of them are linked tables.
        dims: the dimensions; a mapping says what their codes add up to: a hierarchy file, a
            :func:`tree`, :func:`levels`, or ``None``.
        value: the column that is summed up; unless given, records are counted.
        rules: what makes cells confidential: ``["p:10", "freq:2"]``.
        progress: as for :func:`anonymize`.
        **settings: ``holding="owner"``, ``method="optimal"``, ``intervals=True``; see
            ``tacit.settings("protect")``.

    Raises:
        Refused: the table cannot be protected.
    """
    several = isinstance(data, (list, tuple))
    settings.update(value=value, rule=[rules] if isinstance(rules, str) else list(rules))
    with _folder() as folder, _job("protect", data, None, settings, several=several) as job:
        for i, name in enumerate(dims):
            of = dims[name] if isinstance(dims, Mapping) else None
            job.set("dim", name if of is None else f"{name}={_dimension(of, folder / f'{i}.csv')}")
        job.output_frame("output")
        job.run(progress)
        job.commit()
        table = job.frame("output")
        report = _report(job, reports.ProtectReport)
    kind = _frames.kind_of(data[0] if several else data).without_types()
    return ProtectedTable(kind.make(table), report, table)


def _dimension(of: Any, file: Path) -> str:
    """The path of a dimension's hierarchy."""
    made = of if isinstance(of, Hierarchy) else levels(of)
    if not made.rows:
        if not isinstance(made.rule, dict) or "file" not in made.rule:
            raise InvalidError("a dimension's hierarchy is a file, tacit.tree() or tacit.levels()")
        return str(made.rule["file"])
    file.write_text(made._text(), encoding="utf-8")
    return str(file)


# ---- text ----


@dataclass(repr=False)
class Scrubbed:
    """Text without what was found to be personal. It is de-identified, not anonymous.

    Attributes:
        texts: the texts, of the kind that went in: one, a list, or a Series with its index.
        report: what was found.
    """

    texts: Any
    report: reports.ScrubReport

    def __repr__(self) -> str:
        totals = self.report.totals
        return f"<tacit.Scrubbed: {totals.touched} of {totals.documents} texts held something personal>"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def scrub(
    texts: Any, *, about: Any = None, progress: Optional[bool] = None, **settings: Any
) -> Scrubbed:
    """Replaces names, addresses, numbers and dates in letters, notes and messages by made-up ones.

    Args:
        texts: a text, or a list or Series of texts; missing ones stay missing.
        about: whom each text is about: dates of one person move by the same number of days.
        progress: as for :func:`anonymize`.
        **settings: ``replace={"name": "tag"}``, ``known=people``, ``consistent="batch"``; see
            ``tacit.settings("scrub")``.
    """
    listed = [texts] if isinstance(texts, str) else list(texts)
    there = [i for i, text in enumerate(listed) if isinstance(text, str)]
    if len(there) < len(listed):
        for i, text in enumerate(listed):
            if not isinstance(text, str) and text is not None and text == text:
                raise TypeError(f"text {i + 1} is no text but of type {type(text).__name__}")
    people = list(about) if about is not None else None
    if people is not None and len(people) != len(listed):
        raise ValueError(f"about has {len(people)} entries for {len(listed)} texts")
    lines = [_line(listed[i], people[i] if people else None) for i in there]
    settings["jsonl"] = "text"
    if people is not None:
        settings["shift_by"] = "person"
    with _job("scrub", "".join(lines).encode(), None, settings) as job, _memory_file() as fd:
        job.output_descriptor("output", fd)
        job.run(progress)
        job.commit()
        report = _report(job, reports.ScrubReport)
        with open(fd, "rb", closefd=False) as file:
            file.seek(0)
            scrubbed = [json.loads(line)["text"] for line in file]
    for i, text in zip(there, scrubbed):
        listed[i] = text
    if isinstance(texts, str):
        return Scrubbed(listed[0], report)
    made = getattr(type(texts), "_constructor", None)
    if made is not None:
        return Scrubbed(type(texts)(listed, index=texts.index, name=texts.name), report)
    return Scrubbed(listed, report)


def _line(text: str, person: Any) -> str:
    line = {"text": text} if person is None else {"text": text, "person": str(person)}
    return json.dumps(line, ensure_ascii=False) + "\n"


@contextlib.contextmanager
def _memory_file() -> Iterator[int]:
    """A file that is nowhere but in memory."""
    fd = os.memfd_create("tacit")
    try:
        yield fd
    finally:
        os.close(fd)
