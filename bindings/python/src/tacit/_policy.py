"""Policies: what the data holder has decided, as Python objects that become the YAML of a policy file."""

from __future__ import annotations

import contextlib
import csv
import difflib
import io
import json
import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence, Union

from . import _library

if TYPE_CHECKING:
    import pandas

__all__ = [
    "Hierarchy",
    "Policy",
    "column",
    "dates",
    "intervals",
    "levels",
    "mask",
    "standard",
    "tree",
]

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Hierarchy:
    """What the values of a column generalize to. Made by :func:`dates`, :func:`mask`,
    :func:`intervals`, :func:`standard`, :func:`levels` and :func:`tree`."""

    rule: Any = None
    rows: tuple[tuple[str, ...], ...] = field(default=(), repr=False)

    def _flag(self) -> str:
        """The rule as an option of the command has it."""
        if not isinstance(self.rule, dict) or len(self.rule) != 1:
            raise TypeError("a hierarchy of rows is no rule")
        name, of = next(iter(self.rule.items()))
        if name == "file":
            return str(of)
        if name == "date":
            parts = [] if of is True else [of.get("order"), ",".join(map(str, of.get("windows", ())))]
            return ":".join(["date", "/".join(part for part in parts if part)]).rstrip(":")
        if name == "interval":
            widths = ",".join(map(str, of["widths"]))
            comma = f"/{of['decimal']}" if "decimal" in of else ""
            return f"interval:{of.get('origin', 0)}/{widths}{comma}"
        return f"{name}:{of}"

    def _text(self) -> str:
        out = io.StringIO()
        csv.writer(out, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(self.rows)
        return out.getvalue()


def dates(*, order: str | None = None, windows: Sequence[int] | None = None) -> Hierarchy:
    """Dates become months, years, 5 years, 10 years.

    Args:
        order: ``"day-first"`` or ``"month-first"``, for dates with slashes in which nothing decides.
        windows: months of each level in place of 1, 12, 60 and 120, each a multiple of the one before.
    """
    if order is None and windows is None:
        return Hierarchy({"date": True})
    rule: dict[str, Any] = {}
    if order is not None:
        rule["order"] = order
    if windows is not None:
        rule["windows"] = [int(months) for months in windows]
    return Hierarchy({"date": rule})


def mask(side: str = "right") -> Hierarchy:
    """Characters are masked one by one from a side: ``02138``, ``0213*``, ``021**``, ..."""
    if side not in ("left", "right"):
        raise ValueError(f"mask takes 'left' or 'right', not {side!r}")
    return Hierarchy({"mask": side})


def intervals(
    widths: Sequence[float], *, origin: float | None = None, decimal: str | None = None
) -> Hierarchy:
    """Numbers become intervals, wider on each level: ``intervals([5, 10, 20])``.

    Args:
        widths: the width of the intervals of each level, each a multiple of the one before.
        origin: where one of the intervals begins; 0 unless given.
        decimal: ``"comma"`` where 1,5 is one and a half.
    """
    rule: dict[str, Any] = {"widths": [_number(width) for width in widths]}
    if origin is not None:
        rule["origin"] = _number(origin)
    if decimal is not None:
        rule["decimal"] = decimal
    return Hierarchy({"interval": rule})


def _number(value: float) -> float:
    whole = int(value)
    return whole if whole == value else float(value)


def standard(name: str) -> Hierarchy:
    """A classification that tacit knows: ``"icd10"``, ``"isco08"``, ``"isced2011"``, ``"nace2"``,
    ``"nuts"``, ``"us-states"`` or ``"age"``."""
    return Hierarchy({"standard": name})


def levels(
    source: PathLike | Mapping[Any, Any] | pandas.DataFrame | Sequence[Sequence[Any]],
) -> Hierarchy:
    """The generalizations of each value, from a hierarchy file (a path), a mapping of values to
    their group or list of groups, or a DataFrame or list with a row for each value: itself, its
    group, the group's group and so on. ``*`` is put above several most general ones."""
    if isinstance(source, (str, os.PathLike)):
        return Hierarchy({"file": os.path.abspath(source)})
    if isinstance(source, Mapping):
        rows = [
            (value, *([groups] if isinstance(groups, str) else groups))
            for value, groups in source.items()
        ]
    elif hasattr(source, "itertuples"):
        rows = list(source.itertuples(index=False, name=None))
    else:
        rows = [tuple(row) for row in source]
    return _rooted([tuple(map(str, row)) for row in rows])


def tree(groups: Mapping[str, Any]) -> Hierarchy:
    """Groups with what is in them, from the most general down to lists of values::

        tree({"together": ["married"], "alone": {"before": ["single"], "after": ["widowed"]}})

    A value nearer to the root than others stays itself on the levels that it lacks. ``*`` is put
    above several most general groups.
    """
    rows: list[tuple[str, ...]] = []

    def walk(node: Any, above: tuple[str, ...]) -> None:
        if isinstance(node, Mapping):
            for name, below in node.items():
                walk(below, (str(name), *above))
        else:
            rows.extend((str(value), *above) for value in ([node] if isinstance(node, str) else node))

    walk(groups, ())
    depth = max(map(len, rows), default=0)
    return _rooted([(row[0],) * (depth - len(row)) + row for row in rows])


def _rooted(rows: Sequence[tuple[str, ...]]) -> Hierarchy:
    """A hierarchy with one most general value: ``*`` where the rows have several."""
    several = len({row[-1] for row in rows if row}) > 1
    return Hierarchy(rows=tuple((*row, "*") if several else row for row in rows))


def column(
    *,
    hierarchy: Hierarchy | PathLike | None = None,
    suppression: str | None = None,
    missing_codes: Sequence[str] | None = None,
    weight: float | None = None,
    link: float | None = None,
    spread: float | str | None = None,
    replace: str | None = None,
    treat: Any = None,
    of: str | None = None,
    generalize: int | None = None,
    rating: str | None = None,
    diversity: Any = None,
    closeness: Any = None,
    alpha: float | None = None,
    likeness: Any = None,
    disclosure: float | None = None,
    range: float | None = None,
) -> dict[str, Any]:
    """What a policy says of one column beside its role, by the names of the policy file
    (docs/policy.md, "Keys of a column")::

        Policy(k=5, quasi={"zip": column(hierarchy=mask("right"), weight=2)},
               sensitive={"diagnosis": column(diversity=3)})
    """
    given = dict(locals())
    return {name: value for name, value in given.items() if value is not None}


# A role with names alone, or with what each column's values generalize to or is to be kept of them.
Columns = Union[str, Sequence[str], Mapping[str, Any]]

_ROLES = {
    "quasi": "quasi",
    "sensitive": "sensitive",
    "identifiers": "identifier",
    "insensitive": "insensitive",
}


class Policy:
    """What may be released, and how far it has to be generalized.

    Args:
        k: every combination of quasi-identifying values is shared by at least so many people.
        quasi: columns that identify in combination; a mapping says what their values generalize to:
            ``{"birth": tacit.dates(), "postcode": tacit.mask("right"), "sex": None}``.
        sensitive: columns that the release is about; a mapping may add promises:
            ``{"diagnosis": tacit.column(diversity=3)}``.
        identifiers: columns that name people. They leave the data; a mapping may say what takes
            their place: ``{"patient": tacit.column(replace="pseudonym")}``, or shorter
            ``{"patient": "pseudonym"}``.
        insensitive: columns that are released as they are.
        loss: share of the rows that may be suppressed instead of generalizing all further.
        **keys: any other key of a policy file, with ``_`` for ``-``: ``method="local"``,
            ``person="patient"``, ``strict=True``, ``techniques=[...]``.

    A policy does not change; :meth:`replace` makes another one. :meth:`read` takes a policy file.
    """

    def __init__(
        self,
        *,
        k: int | None = None,
        quasi: Columns = (),
        sensitive: Columns = (),
        identifiers: Columns = (),
        insensitive: Columns = (),
        loss: float | None = None,
        **keys: Any,
    ) -> None:
        self._given = dict(
            k=k,
            quasi=quasi,
            sensitive=sensitive,
            identifiers=identifiers,
            insensitive=insensitive,
            loss=loss,
            **keys,
        )
        self._text: str | None = None
        self._beside: dict[str, str] = {}
        self._path: str | None = None
        known = _keys()
        for name in keys:
            if name.replace("_", "-") not in known:
                raise TypeError(_unknown("a policy has no key", name, known))
        self._columns()

    @classmethod
    def read(cls, path: PathLike) -> Policy:
        """The policy of a YAML file; names of files in it are relative to its folder."""
        policy = cls()
        policy._text = Path(path).read_text(encoding="utf-8")
        policy._path = os.path.abspath(path)
        return policy

    @classmethod
    def _of_text(cls, text: str, beside: Mapping[str, str]) -> Policy:
        policy = cls()
        policy._text = text
        policy._beside = dict(beside)
        return policy

    def replace(self, **changes: Any) -> Policy:
        """The same policy with some keys changed; ``None`` takes one out."""
        if self._text is not None:
            raise TypeError(
                "a policy that was read is changed by settings where it is used: "
                "tacit.anonymize(df, policy, k=10)"
            )
        return type(self)(**{**self._given, **changes})

    def _at_least(self, levels: Mapping[str, int]) -> Policy:
        """The same policy with quasi-identifiers released no finer than on these levels."""
        quasi = {
            name: {**{key: of for key, of in settings.items() if key != "role"},
                   **({"generalize": levels[name]} if levels.get(name) else {})}
            for name, settings in self._columns().items()
            if settings["role"] == "quasi"
        }  # fmt: skip
        return self.replace(quasi=quasi)

    def _columns(self) -> dict[str, dict[str, Any]]:
        columns: dict[str, dict[str, Any]] = {}
        for keyword, role in _ROLES.items():
            given = self._given[keyword]
            names = [given] if isinstance(given, str) else given
            for name in names:
                if name in columns:
                    raise ValueError(f"column {name!r} has two roles in the policy")
                of = names[name] if isinstance(names, Mapping) else None
                columns[name] = {"role": role, **_settings_of(of, role)}
        return columns

    @property
    def yaml(self) -> str:
        """The policy as a policy file has it. Hierarchies that are no files are named by column."""
        if self._text is not None:
            return self._text
        return self._render({})

    def _render(self, files: dict[str, str]) -> str:
        """The YAML; the texts of hierarchies by the names of their files go to ``files``."""
        lines = []
        for name, value in self._given.items():
            if name not in _ROLES and value is not None:
                lines.append(f"{name.replace('_', '-')}: {_flow(_plain(value))}")
        columns = self._columns()
        if columns:
            lines.append("columns:")
        for index, (name, settings) in enumerate(columns.items()):
            rendered = {key.replace("_", "-"): value for key, value in settings.items()}
            hierarchy = rendered.get("hierarchy")
            if isinstance(hierarchy, Hierarchy) and hierarchy.rows:
                file = f"{re.sub('[^A-Za-z0-9_-]', '_', name)[:40]}.csv"
                if file in files:
                    file = f"{index}-{file}"
                files[file] = hierarchy._text()
                rendered["hierarchy"] = {"file": file}
            elif isinstance(hierarchy, Hierarchy):
                rendered["hierarchy"] = hierarchy.rule
            lines.append(f"  {_flow(name)}: {_flow(_plain(rendered))}")
        return "".join(line + "\n" for line in lines)

    def save(self, path: PathLike) -> None:
        """Writes the policy as a file for the command, and beside it the hierarchies that it has."""
        files = dict(self._beside)
        text = self._text if self._text is not None else self._render(files)
        folder = Path(path).parent
        for name, content in files.items():
            (folder / name).write_text(content, encoding="utf-8")
        Path(path).write_text(text, encoding="utf-8")

    @contextlib.contextmanager
    def _as_file(self) -> Iterator[str]:
        """The path of the policy as a file, in memory where the system has files there."""
        if self._path is not None:
            yield self._path
            return
        with tempfile.TemporaryDirectory(dir=_memory(), prefix="tacit-") as folder:
            path = os.path.join(folder, "policy.yaml")
            self.save(path)
            yield path

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Policy):
            return NotImplemented
        return self.yaml == other.yaml and self._path == other._path

    def __hash__(self) -> int:
        return hash(self.yaml)

    def __repr__(self) -> str:
        if self._text is not None:
            return f"<tacit.Policy of {len(self._text.splitlines())} lines of YAML>"
        given = ", ".join(
            f"{name}={value!r}"
            for name, value in self._given.items()
            if value is not None and value != ()
        )
        return f"Policy({given})"


def _memory() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _settings_of(of: Any, role: str) -> dict[str, Any]:
    if of is None:
        return {}
    if isinstance(of, Hierarchy):
        return {"hierarchy": of}
    if isinstance(of, Mapping):
        settings = dict(of)
        hierarchy = settings.get("hierarchy")
        if isinstance(hierarchy, (str, os.PathLike)) and hierarchy != "none":
            settings["hierarchy"] = levels(hierarchy)
        return settings
    if role == "identifier" and isinstance(of, str):
        return {"replace": of}
    if isinstance(of, (str, os.PathLike)):
        return {"hierarchy": levels(of)}
    raise TypeError(f"what a policy says of a column is a hierarchy or tacit.column(...), not {of!r}")


def _plain(value: Any) -> Any:
    """The same of dictionaries, lists, texts and numbers alone."""
    if isinstance(value, Mapping):
        return {str(key): _plain(of) for key, of in value.items()}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (str, bool, int, float)) or value is None:
        return value
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        return value.item()
    return [_plain(of) for of in value]


_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*\Z")
_NOT_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


def _flow(value: Any) -> str:
    """A value as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(of)}" for key, of in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str) and _WORD.match(value) and value.lower() not in _NOT_WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)


_known_keys: set[str] = set()


def _keys() -> set[str]:
    """The keys of a policy, as the library lists them."""
    if not _known_keys:
        from ._job import settings

        for kind in ("anonymize", "audit"):
            _known_keys.update(each.name for each in settings(kind) if each.is_policy)
        _known_keys.update(("columns",))
    return _known_keys


def _unknown(what: str, name: str, known: Any) -> str:
    names = [each.replace("-", "_") for each in known]
    near = difflib.get_close_matches(name, names, 1)
    return f"{what} {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
