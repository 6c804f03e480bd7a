"""Frames of other libraries: which they are, as Arrow streams, and tables as frames of the same kind."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any, Mapping

from . import _arrow
from ._arrow import Frame, Stream
from .errors import InvalidError


def _is_pandas(data: object) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def is_frame(data: object) -> bool:
    """Whether the object is a table in memory rather than the name of one."""
    return not isinstance(data, (str, bytes, os.PathLike)) and (
        _is_pandas(data)
        or hasattr(data, "__arrow_c_stream__")
        or hasattr(data, "__dataframe__")
        or isinstance(data, Mapping)
    )


def stream(data: Any) -> Stream:
    """A table as an Arrow stream."""
    if _is_pandas(data):
        from ._pandas import columns_of

        return _arrow.stream_of([columns_of(data)])
    if hasattr(data, "__arrow_c_stream__"):
        found = _arrow.from_capsule(data.__arrow_c_stream__())
        _check_names([field.name for field in _arrow.fields_of(found)])
        return found
    if hasattr(data, "__dataframe__"):
        from ._interchange import batches_of

        return _arrow.stream_of(batches_of(data))
    if isinstance(data, Mapping):
        import pandas

        return stream(pandas.DataFrame(dict(data)))
    raise TypeError(
        "the data is no frame: tacit takes pandas, polars and pyarrow, anything else with "
        f"__arrow_c_stream__ or __dataframe__, and paths of files, not {type(data).__name__}"
    )


def _check_names(names: list[str]) -> None:
    for i, name in enumerate(names):
        if name in names[:i]:
            raise InvalidError(
                f"columns {names.index(name) + 1} and {i + 1} are both called {name!r}; "
                "every column needs a name of its own"
            )


@dataclass(frozen=True)
class Kind:
    """What kind of frame something was, and of which types, without its rows."""

    module: str
    like: Any = None

    def make(self, table: Frame) -> Any:
        """A table as such a frame. What was read from a file is a pandas DataFrame where pandas is
        installed; what is of no kind that can be made stays a :class:`tacit.Frame`."""
        if self.module == "polars":
            return sys.modules["polars"].DataFrame(table)
        if self.module == "pyarrow":
            return sys.modules["pyarrow"].table(table)
        if self.module == "other":
            return table
        try:
            from ._pandas import to_pandas
        except ImportError:
            return table
        return to_pandas(table, self.like)

    def without_types(self) -> Kind:
        """The same kind, for a table with other columns."""
        return Kind(self.module)


def kind_of(data: Any) -> Kind:
    if _is_pandas(data):
        return Kind("pandas", data.iloc[:0])
    module = type(data).__module__.partition(".")[0]
    if module in ("polars", "pyarrow"):
        return Kind(module)
    return Kind("other" if is_frame(data) and not isinstance(data, Mapping) else "pandas")


__all__ = ["Kind", "is_frame", "kind_of", "stream"]
