"""Frames that have the dataframe interchange protocol (``__dataframe__``) as Arrow columns.

Buffers are lent; only the ways to mark what is missing that Arrow does not have become bitmaps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrow import Column, lend
from ._pandas import check_names, validity
from .errors import InvalidError

_INT, _UINT, _FLOAT, _BOOL, _STRING, _DATETIME, _CATEGORICAL = 0, 1, 2, 20, 21, 22, 23
_NO_NULLS, _IS_NAN, _SENTINEL, _BIT_MASK, _BYTE_MASK = range(5)
_CODES = {
    _INT: {8: "c", 16: "s", 32: "i", 64: "l"},
    _UINT: {8: "C", 16: "S", 32: "I", 64: "L"},
    _FLOAT: {32: "f", 64: "g"},
}

_Array = np.ndarray[Any, Any]


def batches_of(data: Any) -> list[list[Column]]:
    """The chunks of a frame, each as columns."""
    frame = data.__dataframe__(allow_copy=True)
    names = list(frame.column_names())
    check_names(names)
    chunks = frame.get_chunks() if frame.num_chunks() > 1 else [frame]
    return [
        [_column(name, chunk.get_column(i)) for i, name in enumerate(names)] for chunk in chunks
    ]


def _column(name: str, column: Any) -> Column:
    kind, bits, code, _ = column.dtype
    kind = int(kind)
    if kind == _CATEGORICAL:
        return _categorical(name, column)
    if kind == _STRING:
        return _string(name, column)
    if kind == _BOOL:
        return _bool(name, column, bits)
    if kind == _DATETIME:
        wide = 32 if code == "tdD" else 64
        return _fixed(name, column, code, f"i{wide // 8}")
    if kind in _CODES and bits in _CODES[kind]:
        letter = {_INT: "i", _UINT: "u", _FLOAT: "f"}[kind]
        return _fixed(name, column, _CODES[kind][bits], f"{letter}{bits // 8}")
    raise InvalidError(
        f"column {name!r} has a type of the interchange protocol that tacit does not take "
        f"({kind}, {bits} bits); convert it first"
    )


def _buffer(column: Any, which: str, dtype: Any, count: int) -> _Array:
    buffer, _ = column.get_buffers()[which]
    offset = int(column.offset)
    return lend((column, buffer), buffer.ptr, offset + count, dtype)[offset:]


def _missing(column: Any, values: _Array | None) -> _Array | None:
    """Which values are missing; None if the column says that none is."""
    kind, value = column.describe_null
    size = int(column.size())
    if kind == _NO_NULLS or column.null_count == 0:
        return None
    if kind == _IS_NAN and values is not None:
        return np.asarray(np.isnan(values))
    if kind == _SENTINEL and values is not None:
        return np.asarray(values == value)
    if column.get_buffers()["validity"] is None:
        return None
    if kind == _BYTE_MASK:
        return np.asarray(_buffer(column, "validity", np.uint8, size) == value)
    buffer, _ = column.get_buffers()["validity"]
    last = int(column.offset) + size
    packed = lend((column, buffer), buffer.ptr, (last + 7) // 8, np.uint8)
    bits = np.unpackbits(packed, count=last, bitorder="little")
    return np.asarray(bits[int(column.offset) :] == value)


def _fixed(name: str, column: Any, code: str, dtype: str) -> Column:
    values = _buffer(column, "data", dtype, int(column.size()))
    bitmap, count = validity(_missing(column, values))
    return Column(name, code, len(values), [bitmap, values], count, owner=column)


def _bool(name: str, column: Any, bits: int) -> Column:
    size = int(column.size())
    if bits == 1:
        buffer, _ = column.get_buffers()["data"]
        bitmap, count = validity(_missing(column, None))
        data = lend((column, buffer), buffer.ptr, (size + int(column.offset) + 7) // 8, np.uint8)
        flags = np.unpackbits(data, bitorder="little")[int(column.offset) :][:size]
    else:
        flags = _buffer(column, "data", np.uint8, size)
        bitmap, count = validity(_missing(column, flags))
    return Column(
        name, "b", size, [bitmap, np.packbits(flags.astype(bool), bitorder="little")], count
    )


def _string(name: str, column: Any) -> Column:
    size = int(column.size())
    _, offset_type = column.get_buffers()["offsets"]
    wide = int(offset_type[1]) == 64
    offsets = _buffer(column, "offsets", np.int64 if wide else np.int32, size + 1)
    data, _ = column.get_buffers()["data"]
    bitmap, count = validity(_missing(column, None))
    return Column(
        name, "U" if wide else "u", size, [bitmap, offsets, data.ptr or b"\0"], count,
        owner=(column, data),
    )  # fmt: skip


def _categorical(name: str, column: Any) -> Column:
    about = column.describe_categorical
    categories = about["categories"]
    if not about["is_dictionary"] or categories is None or int(categories.dtype[0]) != _STRING:
        raise InvalidError(
            f"column {name!r} has categories that are no text; convert it to text first"
        )
    _, (_, bits, _, _) = column.get_buffers()["data"]
    codes = _buffer(column, "data", f"i{bits // 8}", int(column.size()))
    bitmap, count = validity(_missing(column, codes))
    return Column(
        name, _CODES[_INT][bits], len(codes), [bitmap, codes], count,
        dictionary=_string(name, categories), ordered=bool(about["is_ordered"]), owner=column,
    )  # fmt: skip
