"""pandas DataFrames as Arrow columns, and back.

Numbers and times are lent where they are. Texts are sent as a dictionary: each distinct one once,
and a code for each row. What comes back has the type of the column that was sent where each of its
cells still is such a value; columns that were generalized are text.
"""

from __future__ import annotations

import contextlib
import datetime
import decimal
from typing import Any, Callable, Sequence

import numpy as np
import pandas as pd

from ._arrow import Chunk, Column, Frame, lend, text_column
from .errors import InvalidError

_DAY = 86_400_000_000_000
_EPOCH = datetime.datetime(1970, 1, 1)
_EPOCH_DAY = datetime.date(1970, 1, 1).toordinal()
_MICROSECOND = datetime.timedelta(microseconds=1)

_INTEGERS = {"i1": "c", "u1": "C", "i2": "s", "u2": "S", "i4": "i", "u4": "I", "i8": "l", "u8": "L"}
_NUMBERS = {**{v: k for k, v in _INTEGERS.items()}, "e": "f2", "f": "f4", "g": "f8"}
_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}

_Array = np.ndarray[Any, Any]


def check_names(names: Sequence[object]) -> None:
    """Columns have names that are text, each a different one."""
    seen: dict[str, int] = {}
    for i, name in enumerate(names):
        if not isinstance(name, str):
            raise InvalidError(
                f"the name of column {i + 1} is no text but {_kind(name)}; "
                "give the columns names first: df.columns = df.columns.astype(str)"
            )
        if name in seen:
            raise InvalidError(
                f"columns {seen[name] + 1} and {i + 1} are both called {name!r}; "
                "every column needs a name of its own"
            )
        seen[name] = i


def _kind(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"


def columns_of(frame: pd.DataFrame) -> list[Column]:
    """The columns of a DataFrame. The index is not one of them."""
    if isinstance(frame.columns, pd.MultiIndex):
        raise InvalidError(
            "the columns have names on several levels; join them to one first, such as by "
            "df.columns = ['_'.join(name) for name in df.columns]"
        )
    check_names(list(frame.columns))
    return [_column(name, frame[name]) for name in frame.columns]


def _column(name: str, series: pd.Series) -> Column:
    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _categorical(name, series)
    if isinstance(dtype, pd.DatetimeTZDtype):
        return _timestamps(name, series.dt.tz_convert("UTC").dt.tz_localize(None), str(dtype.tz))
    if isinstance(dtype, (pd.StringDtype, pd.PeriodDtype, pd.IntervalDtype)):
        return _texts(name, series.astype(object).map(str, na_action="ignore"))
    if isinstance(dtype, pd.SparseDtype):
        return _column(name, series.sparse.to_dense())
    if isinstance(dtype, np.dtype):
        if dtype.kind == "M":
            return _timestamps(name, series, "")
        if dtype.kind == "O":
            return _objects(name, series)
        return _numbers(name, series.to_numpy(), None)
    if pd.api.types.is_bool_dtype(dtype) or pd.api.types.is_numeric_dtype(dtype):
        return _masked(name, series)
    raise InvalidError(f"column {name!r} has the type {dtype}, which tacit does not take; {_ADVICE}")


_ADVICE = "convert it first, such as to text by df[column].astype(str)"


def validity(missing: _Array | None) -> tuple[_Array | None, int]:
    """A bitmap of what is there, and how many values are not."""
    count = int(missing.sum()) if missing is not None else 0
    if missing is None or count == 0:
        return None, 0
    return np.packbits(~missing, bitorder="little"), count


def _numbers(name: str, values: _Array, missing: _Array | None) -> Column:
    kind = values.dtype.kind
    if kind == "b":
        code, values_or_bits = "b", np.packbits(values, bitorder="little")
    elif kind in "iu":
        code = _INTEGERS[values.dtype.str[1:]]
        values_or_bits = _plain(values, values.dtype.newbyteorder("="))
    elif kind == "f" and values.dtype.itemsize <= 8:
        wide = np.dtype(f"f{max(values.dtype.itemsize, 4)}")
        code = "f" if wide.itemsize == 4 else "g"
        values_or_bits = _plain(values, wide)
        missing = np.isnan(values) if missing is None else missing | np.isnan(values)
    else:
        raise InvalidError(
            f"column {name!r} has the type {values.dtype}, which tacit does not take; {_ADVICE}"
        )
    bitmap, count = validity(missing)
    return Column(name, code, len(values), [bitmap, values_or_bits], count)


def _plain(values: _Array, dtype: np.dtype[Any]) -> _Array:
    """The same array if it lies in one piece and in the machine's order, else a copy that does."""
    return np.ascontiguousarray(values, dtype)


def _masked(name: str, series: pd.Series) -> Column:
    """Nullable integers, floats and booleans, whose parts are lent where they are to be had."""
    array = series.array
    mask = getattr(array, "_mask", None)
    data = getattr(array, "_data", None)
    if not isinstance(mask, np.ndarray) or not isinstance(data, np.ndarray):
        mask = series.isna().to_numpy(bool)
        data = series.to_numpy(dtype=series.dtype.numpy_dtype, na_value=0)
    return _numbers(name, data, mask)


def _timestamps(name: str, series: pd.Series, zone: str) -> Column:
    """Days where no value has a time of day: 1945-05-08, as in a file; else points in time."""
    values = series.to_numpy()
    unit = np.datetime_data(values.dtype)[0]
    counts = np.ascontiguousarray(values).view("i8")
    missing = np.isnat(values)
    bitmap, count = validity(missing)
    if unit == "ns" and not zone and not np.any(counts % _DAY, where=~missing):
        days = (counts // _DAY).astype(np.int32)
        return Column(name, "tdD", len(values), [bitmap, days], count)
    code = {text: letter for letter, text in _UNITS.items()}[unit]
    return Column(name, f"ts{code}:{zone}", len(values), [bitmap, counts], count)


def _categorical(name: str, series: pd.Series) -> Column:
    """Codes are lent; missing is -1 among them."""
    codes = np.ascontiguousarray(series.cat.codes.to_numpy())
    bitmap, count = validity(codes < 0)
    categories = series.cat.categories
    texts = categories.astype(str) if len(categories) else categories.astype(object)
    return Column(
        name,
        _INTEGERS[codes.dtype.str[1:]],
        len(codes),
        [bitmap, codes],
        count,
        dictionary=_text(name, texts.to_numpy(object)),
        ordered=bool(series.cat.ordered),
    )


def _text(name: str, values: _Array) -> Column:
    try:
        return text_column(name, values)
    except UnicodeEncodeError:
        raise InvalidError(
            f"column {name!r} has text that is no Unicode: half of a surrogate pair"
        ) from None


def _texts(name: str, series: pd.Series) -> Column:
    return _coded(name, *_codes(series.to_numpy(object)))


def _codes(values: _Array) -> tuple[_Array, _Array]:
    """A code for each object, -1 where it is missing, and what the codes stand for. Where objects
    are few, as pandas reads them, they are told apart by where they lie before they are compared."""
    values = np.ascontiguousarray(values)
    places = lend(values, values.ctypes.data, len(values), np.intp)
    sample = places[:: max(1, len(places) // 512)]
    if len(np.unique(sample)) * 4 >= len(sample):
        codes, distinct = pd.factorize(values)
        return codes, distinct
    by_place, firsts = pd.factorize(places)
    met = np.empty(len(firsts), np.intp)
    met[by_place[::-1]] = np.arange(len(values) - 1, -1, -1)
    codes, distinct = pd.factorize(values[met])
    return codes[by_place], distinct


def _coded(name: str, codes: _Array, distinct: _Array) -> Column:
    bitmap, count = validity(codes < 0)
    small = codes.astype(np.int32)
    return Column(
        name, "i", len(codes), [bitmap, small], count, dictionary=_text(name, distinct)
    )


def _objects(name: str, series: pd.Series) -> Column:
    """Python objects: text as a rule, else all of one kind."""
    values = series.to_numpy()
    try:
        codes, distinct = _codes(values)
    except TypeError:
        raise _mixed(name, "lists or other objects that tacit does not take") from None
    # Equal values of different types (1, True) have one code, so others are looked at in full.
    if all(type(value) is str for value in distinct):
        return _coded(name, codes, distinct)
    missing = pd.isna(values)
    kind = pd.api.types.infer_dtype(values[~missing], skipna=False)
    builder = _BUILDERS.get(kind)
    if builder is None:
        raise _mixed(name, f"values of several types or of one that tacit does not take ({kind})")
    return builder(name, values, missing)


def _mixed(name: str, what: str) -> InvalidError:
    return InvalidError(f"column {name!r} has {what}; {_ADVICE}")


def _subclassed(name: str, values: _Array, missing: _Array) -> Column:
    texts = [None if gone else str(value) for value, gone in zip(values, missing)]
    return _texts(name, pd.Series(texts, dtype=object))


def _filled(values: _Array, missing: _Array, dtype: Any, of: Callable[[Any], Any]) -> _Array:
    """One number for each value, 0 where there is none."""
    numbers = (0 if gone else of(value) for value, gone in zip(values, missing))
    return np.fromiter(numbers, dtype, len(values))


def _whole(name: str, values: _Array, missing: _Array) -> Column:
    """Integers; beyond 64 bits they are sent as text."""
    try:
        numbers = _filled(values, missing, np.int64, int)
    except OverflowError:
        return _subclassed(name, values, missing)
    return _numbers(name, numbers, missing)


def _real(name: str, values: _Array, missing: _Array) -> Column:
    return _numbers(name, _filled(values, missing, np.float64, float), missing)


def _truth(name: str, values: _Array, missing: _Array) -> Column:
    return _numbers(name, _filled(values, missing, bool, bool), missing)


def _days(name: str, values: _Array, missing: _Array) -> Column:
    days = _filled(values, missing, np.int32, lambda day: day.toordinal() - _EPOCH_DAY)
    bitmap, count = validity(missing)
    return Column(name, "tdD", len(values), [bitmap, days], count)


def _moments(name: str, values: _Array, missing: _Array) -> Column:
    zones = {value.tzinfo for value in values[~missing]}
    if len(zones) > 1:
        raise _mixed(name, "times of several zones")
    zone = next(iter(zones), None)

    def count_of(value: datetime.datetime) -> int:
        naive = value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if zone else value
        return (naive - _EPOCH) // _MICROSECOND

    counts = _filled(values, missing, np.int64, count_of)
    bitmap, count = validity(missing)
    return Column(name, f"tsu:{zone or ''}", len(values), [bitmap, counts], count)


def _times(name: str, values: _Array, missing: _Array) -> Column:
    def count_of(value: datetime.time) -> int:
        return (datetime.datetime.combine(_EPOCH, value) - _EPOCH) // _MICROSECOND

    bitmap, count = validity(missing)
    return Column(
        name, "ttu", len(values), [bitmap, _filled(values, missing, np.int64, count_of)], count
    )


def _decimals(name: str, values: _Array, missing: _Array) -> Column:
    """Decimals of one scale; what 128 bits cannot hold, or is not finite, is sent as text."""
    there = values[~missing]
    if not all(value.is_finite() for value in there):
        return _subclassed(name, values, missing)
    scale = max([0, *(-value.as_tuple().exponent for value in there)])
    with decimal.localcontext() as context:
        context.prec = 100
        whole = [0 if gone else int(value.scaleb(scale)) for value, gone in zip(values, missing)]
    if max((abs(number) for number in whole), default=0) >= 10**38 or scale > 38:
        return _subclassed(name, values, missing)
    data = b"".join(number.to_bytes(16, "little", signed=True) for number in whole)
    bitmap, count = validity(missing)
    return Column(name, f"d:38,{scale}", len(values), [bitmap, data], count)


_BUILDERS: dict[str, Callable[[str, _Array, _Array], Column]] = {
    "string": _subclassed,
    "integer": _whole,
    "floating": _real,
    "mixed-integer-float": _real,
    "boolean": _truth,
    "date": _days,
    "datetime": _moments,
    "datetime64": _moments,
    "time": _times,
    "decimal": _decimals,
    "empty": _subclassed,
}

# ---- back ----


def to_pandas(frame: Frame, like: pd.DataFrame | None = None) -> pd.DataFrame:
    """A DataFrame of a table. Columns have the types of those of ``like`` where they fit."""
    columns: dict[str, Any] = {}
    for i, name in enumerate(frame.columns):
        kind = like[name].dtype if like is not None and name in like else None
        parts = [_values(chunk, kind) for chunk in frame._chunks(i)]
        whole = pd.concat(list(map(_series, parts)), ignore_index=True) if len(parts) > 1 else (parts or [[]])[0]
        columns[name] = _as_before(whole, kind)
    return pd.DataFrame(columns, columns=frame.columns, index=range(len(frame)), copy=False)


def _series(values: Any) -> pd.Series:
    """Objects stay what they are: pandas would look through them for times."""
    objects = isinstance(values, np.ndarray) and values.dtype == object
    return pd.Series(values, dtype=object if objects else None, copy=False)


def _as_before(values: Any, kind: Any) -> Any:
    """Values as the column that was sent had them, where they fit."""
    series = _series(values)
    if kind is None or series.dtype == kind:
        return series
    if isinstance(kind, pd.CategoricalDtype):
        return _category_again(series, kind)
    if isinstance(kind, pd.StringDtype):
        return series.astype(kind)
    if getattr(kind, "kind", "") == "u" and series.dtype == object:
        # The library's whole numbers have 63 bits.
        with contextlib.suppress(ValueError, TypeError, OverflowError):
            return series.map(int).astype(kind)
    return series


def _category_again(series: pd.Series, kind: pd.CategoricalDtype) -> pd.Series:
    """The categories that there were, if every value is one of them, without those that no value
    has: they would tell what was left out. Else those that there are."""
    known = dict(zip(kind.categories.astype(str), kind.categories))
    category = series if isinstance(series.dtype, pd.CategoricalDtype) else series.astype("category")
    if all(text in known for text in category.cat.categories):
        used = kind.categories[kind.categories.astype(str).isin(category.cat.categories)]
        return category.cat.rename_categories(known).cat.set_categories(used, ordered=kind.ordered)
    return category


def _values(chunk: Chunk, kind: Any) -> Any:
    code = chunk.field.format
    missing = chunk.missing()
    if chunk.field.dictionary:
        return _decoded(chunk, missing, kind)
    if code in ("u", "U"):
        return _text_values(chunk)
    if code in _NUMBERS:
        return _number_values(chunk.buffer(1, _NUMBERS[code]), missing, kind)
    if code == "b":
        bits = chunk.bits(1)
        return _number_values(bits if bits is not None else np.empty(0, bool), missing, kind)
    if code.startswith("td"):
        return _date_values(chunk, missing, kind)
    if code.startswith("ts"):
        return _moment_values(chunk, missing, kind)
    if code.startswith("tt"):
        return _time_values(chunk, missing)
    if code.startswith("d:"):
        return _decimal_values(chunk, missing)
    if code == "n":
        return np.full(chunk.length, None, object)
    raise InvalidError(f"column {chunk.field.name!r} has the Arrow type {code!r}")


def _text_values(chunk: Chunk) -> _Array:
    texts = chunk.texts()
    missing = chunk.missing()
    if missing is not None:
        texts[missing] = np.nan
    return texts


def _decoded(chunk: Chunk, missing: _Array | None, kind: Any) -> Any:
    codes = chunk.buffer(1, _NUMBERS[chunk.field.format])
    distinct = chunk.dictionary().texts()
    if missing is not None:
        codes = np.where(missing, -1, codes.astype(np.int64))
    if isinstance(kind, pd.CategoricalDtype):
        return pd.Categorical.from_codes(codes, distinct, ordered=chunk.field.ordered)
    if missing is not None:
        distinct = np.append(distinct, np.nan)
    return distinct[codes] if len(distinct) else np.full(len(codes), np.nan, object)


_NULLABLE = {
    "i1": "Int8", "u1": "UInt8", "i2": "Int16", "u2": "UInt16", "i4": "Int32", "u4": "UInt32",
    "i8": "Int64", "u8": "UInt64", "f4": "Float32", "f8": "Float64", "b1": "boolean",
}  # fmt: skip


def _number_values(values: _Array, missing: _Array | None, kind: Any) -> Any:
    nullable = _NULLABLE.get(values.dtype.str[1:])
    if kind is not None and str(kind) == nullable:
        return pd.array(values, dtype=nullable) if missing is None else _with_gaps(values, missing)
    if kind is not None and isinstance(kind, np.dtype) and kind.kind == "O":
        out = values.astype(object)
        if missing is not None:
            out[missing] = None
        return out
    if missing is None:
        return values
    if values.dtype.kind == "f":
        return np.where(missing, values.dtype.type(np.nan), values)
    return _with_gaps(values, missing)


def _with_gaps(values: _Array, missing: _Array) -> Any:
    whole = pd.array(np.array(values), dtype=_NULLABLE[values.dtype.str[1:]])
    whole[missing] = pd.NA
    return whole


def _date_values(chunk: Chunk, missing: _Array | None, kind: Any) -> _Array:
    if chunk.field.format == "tdD":
        days = chunk.buffer(1, np.int32).astype(np.int64)
    else:
        days = chunk.buffer(1, np.int64) // 86_400_000
    if isinstance(kind, np.dtype) and kind.kind == "M":
        return _not_a_time(days.astype("M8[D]").astype(kind), missing)
    out = np.array(_not_a_time(days.astype("M8[D]"), missing).tolist() or [], object)
    return out


def _not_a_time(moments: _Array, missing: _Array | None) -> _Array:
    if missing is not None:
        moments[missing] = np.datetime64("NaT")
    return moments


def _moment_values(chunk: Chunk, missing: _Array | None, kind: Any) -> Any:
    unit, zone = _UNITS[chunk.field.format[2]], chunk.field.format[4:]
    moments = _not_a_time(chunk.buffer(1, np.int64).astype(f"M8[{unit}]"), missing)
    exact = moments.astype("M8[ns]")
    fits = bool(np.all((exact.astype(moments.dtype) == moments) | np.isnat(moments)))
    objects = isinstance(kind, np.dtype) and kind.kind == "O"
    if fits and not objects:
        series = pd.Series(exact)
        return series.dt.tz_localize("UTC").dt.tz_convert(zone) if zone else exact
    out = np.array(moments.astype("M8[us]").tolist() or [], object)
    if zone and zone.upper() in ("UTC", "Z"):
        utc = datetime.timezone.utc
        out[:] = [value and value.replace(tzinfo=utc) for value in out]
    return out


def _time_values(chunk: Chunk, missing: _Array | None) -> _Array:
    unit = _UNITS[chunk.field.format[2]]
    counts = chunk.buffer(1, np.int32 if unit in ("s", "ms") else np.int64)
    moments = counts.astype(np.int64).astype(f"M8[{unit}]").astype("M8[us]").tolist()
    out = np.empty(len(moments), object)
    out[:] = [moment.time() for moment in moments]
    if missing is not None:
        out[missing] = None
    return out


def _decimal_values(chunk: Chunk, missing: _Array | None) -> _Array:
    scale = int(chunk.field.format.split(",")[1])
    data = chunk.buffer(1, "V16").tobytes()
    whole = (
        int.from_bytes(data[i : i + 16], "little", signed=True) for i in range(0, len(data), 16)
    )
    out = np.empty(chunk.length, object)
    with decimal.localcontext() as context:
        context.prec = 100
        out[:] = [decimal.Decimal(number).scaleb(-scale) for number in whole]
    if missing is not None:
        out[missing] = None
    return out
