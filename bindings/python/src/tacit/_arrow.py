"""Columns in memory as the Arrow C data and stream interfaces have them, given away and taken.

Given away: a :class:`Column` points at buffers that stay where they are. What a consumer holds is
kept alive in ``_held`` until it calls the release function, so numbers of a frame are not copied.
Taken: a :class:`Frame` owns the batches of a stream and lends their buffers to NumPy.
"""

from __future__ import annotations

import ctypes
import itertools
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator, Sequence

import numpy as np

from .errors import InvalidError

if TYPE_CHECKING:
    import pandas

__all__ = ["Frame"]

NULLABLE = 2


class Schema(ctypes.Structure):
    """struct ArrowSchema."""


class Array(ctypes.Structure):
    """struct ArrowArray."""


class Stream(ctypes.Structure):
    """struct ArrowArrayStream."""


_ReleaseSchema = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
_ReleaseArray = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
_ReleaseStream = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
_GetSchema = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema)
)
_GetNext = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array)
)
_GetLastError = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))

Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", _ReleaseSchema),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", _ReleaseArray),
    ("private_data", ctypes.c_void_p),
]
Stream._fields_ = [
    ("get_schema", _GetSchema),
    ("get_next", _GetNext),
    ("get_last_error", _GetLastError),
    ("release", _ReleaseStream),
    ("private_data", ctypes.c_void_p),
]

# ---- giving away ----

# What consumers hold, by the number that private_data has.
_held: dict[int, object] = {}
_serial = itertools.count(1)
_NO_RELEASE: Any = ctypes.cast(ctypes.c_void_p(), _ReleaseStream)


def _hold(thing: object) -> int:
    number = next(_serial)
    _held[number] = thing
    return number


def _release(pointer: Any) -> None:
    """The release function of schemas and arrays: what they own below themselves goes first."""
    struct = pointer.contents
    for i in range(struct.n_children):
        child = struct.children[i]
        if child.contents.release:
            child.contents.release(child)
    if struct.dictionary and struct.dictionary.contents.release:
        struct.dictionary.contents.release(struct.dictionary)
    _held.pop(struct.private_data, None)
    struct.release = type(struct.release)()


def _release_stream_now(pointer: Any) -> None:
    _held.pop(pointer.contents.private_data, None)
    pointer.contents.release = _NO_RELEASE


_release_schema = _ReleaseSchema(_release)
_release_array = _ReleaseArray(_release)
_release_stream = _ReleaseStream(_release_stream_now)


@dataclass
class Column:
    """A column, or a dictionary, as Arrow has it. A buffer is a NumPy array, bytes, an address, or
    None; ``owner`` is what keeps addresses valid."""

    name: str
    format: str
    length: int
    buffers: Sequence[Any]
    null_count: int = 0
    offset: int = 0
    dictionary: Column | None = None
    ordered: bool = False
    owner: object = None

    def schema(self) -> Schema:
        dictionary = self.dictionary.schema() if self.dictionary else None
        texts = (self.format.encode(), self.name.encode())
        out = Schema(texts[0], texts[1], None, NULLABLE | int(self.ordered), 0)
        if dictionary is not None:
            out.dictionary = ctypes.pointer(dictionary)
        out.release = _release_schema
        out.private_data = _hold((texts, dictionary))
        return out

    def array(self) -> Array:
        dictionary = self.dictionary.array() if self.dictionary else None
        addresses = (ctypes.c_void_p * len(self.buffers))(*map(_address, self.buffers))
        out = Array(self.length, self.null_count, self.offset, len(self.buffers), 0)
        out.buffers = ctypes.cast(addresses, ctypes.POINTER(ctypes.c_void_p))
        if dictionary is not None:
            out.dictionary = ctypes.pointer(dictionary)
        out.release = _release_array
        out.private_data = _hold((self, addresses, dictionary))
        return out


def _address(buffer: Any) -> int | None:
    if buffer is None or isinstance(buffer, int):
        return buffer
    if isinstance(buffer, bytes):
        return ctypes.cast(ctypes.c_char_p(buffer), ctypes.c_void_p).value
    return int(buffer.ctypes.data)


def _put_schema(out: Any, columns: Sequence[Column]) -> None:
    children = [column.schema() for column in columns]
    pointers = (ctypes.POINTER(Schema) * len(children))(*[ctypes.pointer(c) for c in children])
    struct = out.contents
    ctypes.memset(out, 0, ctypes.sizeof(Schema))
    texts = (b"+s", b"")
    struct.format, struct.name = texts
    struct.n_children = len(children)
    struct.children = ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(Schema)))
    struct.release = _release_schema
    struct.private_data = _hold((texts, children, pointers))


def _put_array(out: Any, columns: Sequence[Column]) -> None:
    children = [column.array() for column in columns]
    pointers = (ctypes.POINTER(Array) * len(children))(*[ctypes.pointer(c) for c in children])
    no_validity = (ctypes.c_void_p * 1)(None)
    struct = out.contents
    ctypes.memset(out, 0, ctypes.sizeof(Array))
    struct.length = columns[0].length if columns else 0
    struct.n_buffers = 1
    struct.n_children = len(children)
    struct.buffers = ctypes.cast(no_validity, ctypes.POINTER(ctypes.c_void_p))
    struct.children = ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(Array)))
    struct.release = _release_array
    struct.private_data = _hold((children, pointers, no_validity))


def stream_of(batches: Sequence[Sequence[Column]]) -> Stream:
    """A stream of batches that have the same columns. Its consumer releases it."""
    waiting = list(batches)

    def get_schema(stream: Any, out: Any) -> int:
        _put_schema(out, batches[0])
        return 0

    def get_next(stream: Any, out: Any) -> int:
        if waiting:
            _put_array(out, waiting.pop(0))
        else:
            ctypes.memset(out, 0, ctypes.sizeof(Array))
        return 0

    functions = _GetSchema(get_schema), _GetNext(get_next), _GetLastError(_no_error)
    out = Stream(*functions)
    out.release = _release_stream
    out.private_data = _hold((functions, waiting))
    return out


def _no_error(stream: Any) -> None:
    return None


# ---- capsules ----

_CAPSULE = b"arrow_array_stream"
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_api = ctypes.pythonapi
_api.PyCapsule_New.restype = ctypes.py_object
_api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, _Destructor]
_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", _api)
)


def _destroy(capsule: int) -> None:
    address = _pointer_in(capsule, _CAPSULE)
    stream = Stream.from_address(address)
    if stream.release:
        stream.release(ctypes.byref(stream))
    _held.pop(address, None)


_destructor = _Destructor(_destroy)


def to_capsule(stream: Stream) -> object:
    """A capsule of the Arrow PyCapsule interface that owns the stream."""
    address = ctypes.addressof(stream)
    _held[address] = stream
    return _api.PyCapsule_New(address, _CAPSULE, _destructor)


def from_capsule(capsule: object) -> Stream:
    """The stream that a capsule owns; it stays the capsule's until somebody moves it."""
    address = _api.PyCapsule_GetPointer(capsule, _CAPSULE)
    stream = Stream.from_address(address)
    stream._capsule = capsule
    return stream


# ---- taking ----


@dataclass
class Field:
    """The type of a column that was taken."""

    name: str
    format: str
    ordered: bool = False
    dictionary: Field | None = None


def _field(schema: Any) -> Field:
    return Field(
        name=(schema.name or b"").decode("utf-8", "replace"),
        format=schema.format.decode(),
        ordered=bool(schema.flags & 1),
        dictionary=_field(schema.dictionary.contents) if schema.dictionary else None,
    )


def fields_of(stream: Stream) -> list[Field]:
    """The columns of a stream, which is not used up by asking."""
    schema = Schema()
    _check(stream, stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)))
    try:
        if schema.format != b"+s":
            raise InvalidError("the Arrow stream is not of a table: its items are no structs")
        return [_field(schema.children[i].contents) for i in range(schema.n_children)]
    finally:
        schema.release(ctypes.byref(schema))


def _check(stream: Stream, status: int) -> None:
    if status == 0:
        return
    text = stream.get_last_error(ctypes.byref(stream))
    said = ctypes.string_at(text).decode("utf-8", "replace") if text else "no reason is given"
    raise InvalidError(f"the Arrow stream cannot be read: {said}")


class _Batch:
    """A batch that was taken, released when nobody borrows from it any more."""

    def __init__(self, array: Array) -> None:
        self.array = array

    def __del__(self) -> None:
        if self.array.release:
            self.array.release(ctypes.byref(self.array))


class _Lent:
    """Memory of a batch as NumPy sees it, which keeps the batch."""

    def __init__(self, owner: object, address: int, count: int, dtype: np.dtype[Any]) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "shape": (count,),
            "typestr": dtype.str,
            "data": (address, True),
            "version": 3,
        }


def lend(owner: object, address: int | None, count: int, dtype: Any) -> np.ndarray[Any, Any]:
    """``count`` values at an address that ``owner`` keeps, without a copy."""
    kind = np.dtype(dtype)
    if not address or count == 0:
        return np.empty(0, kind)
    return np.asarray(_Lent(owner, address, count, kind))


@dataclass
class Chunk:
    """A column of one batch."""

    field: Field
    array: Any
    owner: object

    @property
    def length(self) -> int:
        return int(self.array.length)

    def buffer(self, index: int, dtype: Any, count: int | None = None) -> np.ndarray[Any, Any]:
        """A buffer, from the start of the chunk unless a count from its offset is given."""
        offset = int(self.array.offset)
        whole = lend(
            self.owner,
            self.array.buffers[index],
            offset + (self.length if count is None else count),
            dtype,
        )
        return whole[offset:]

    def bits(self, index: int) -> np.ndarray[Any, Any] | None:
        """A bitmap as booleans; None if there is none."""
        address = self.array.buffers[index]
        if not address or self.length == 0:
            return None
        offset = int(self.array.offset)
        last = offset + self.length
        packed = lend(self.owner, address, (last + 7) // 8, np.uint8)
        return np.unpackbits(packed, count=last, bitorder="little")[offset:].view(bool)

    def missing(self) -> np.ndarray[Any, Any] | None:
        """Which values are null; None if no value is."""
        if self.array.null_count == 0:
            return None
        valid = self.bits(0)
        return None if valid is None or valid.all() else ~valid

    def texts(self) -> np.ndarray[Any, Any]:
        """The strings of a column of text as objects, None where null."""
        wide = self.field.format == "U"
        offsets = self.buffer(1, np.int64 if wide else np.int32, self.length + 1)
        out = np.empty(self.length, object)
        if self.length:
            first, last = int(offsets[0]), int(offsets[-1])
            data = bytes(lend(self.owner, self.array.buffers[2], last, np.uint8)[first:])
            bounds = (offsets - first).tolist()
            if data.isascii():
                text = data.decode("ascii")
                out[:] = [text[a:b] for a, b in zip(bounds, bounds[1:])]
            else:
                out[:] = [
                    data[a:b].decode("utf-8", "replace") for a, b in zip(bounds, bounds[1:])
                ]
        missing = self.missing()
        if missing is not None:
            out[missing] = None
        return out

    def dictionary(self) -> Chunk:
        if not self.field.dictionary:
            raise InvalidError(f"column {self.field.name!r} has no dictionary")
        return Chunk(self.field.dictionary, self.array.dictionary.contents, self.owner)


@dataclass
class Frame:
    """A table in memory: what a release is if it was made from no frame that tacit knows.

    Anything that understands the Arrow PyCapsule interface takes it: ``polars.DataFrame(frame)``,
    ``pyarrow.table(frame)``. :meth:`to_pandas` makes a pandas DataFrame of it.
    """

    _fields: list[Field]
    _batches: list[_Batch] = field(repr=False)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [each.name for each in self._fields]

    def __len__(self) -> int:
        return sum(int(batch.array.length) for batch in self._batches)

    def _chunks(self, index: int) -> Iterator[Chunk]:
        for batch in self._batches:
            yield Chunk(self._fields[index], batch.array.children[index].contents, batch)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table for others, by the Arrow PyCapsule interface; nothing is copied."""
        return to_capsule(self._stream())

    def _stream(self) -> Stream:
        return stream_of(
            [
                [_lent_column(chunk) for chunk in row]
                for row in zip(*(self._chunks(i) for i in range(len(self._fields))))
            ]
            or [[_empty_column(each) for each in self._fields]]
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table to a file in the format that its name ends in, which appears whole or
        not at all."""
        from ._library import call, lib

        stream = self._stream()
        call(lib.tacit_save_arrow, os.fsencode(path), ctypes.byref(stream), None)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas DataFrame."""
        from ._pandas import to_pandas

        return to_pandas(self)


def _buffer_count(column_format: str) -> int:
    return 3 if column_format in ("u", "U", "z", "Z") else 1 if column_format == "n" else 2


def _lent_column(chunk: Chunk) -> Column:
    array = chunk.array
    return Column(
        name=chunk.field.name,
        format=chunk.field.format,
        length=chunk.length,
        buffers=[array.buffers[i] for i in range(array.n_buffers)],
        null_count=int(array.null_count),
        offset=int(array.offset),
        dictionary=_lent_column(chunk.dictionary()) if chunk.field.dictionary else None,
        ordered=chunk.field.ordered,
        owner=chunk.owner,
    )


def _empty_column(of: Field) -> Column:
    return Column(
        name=of.name,
        format=of.format,
        length=0,
        buffers=[None, *[b"\0" * 8] * (_buffer_count(of.format) - 1)],
        dictionary=_empty_column(of.dictionary) if of.dictionary else None,
        ordered=of.ordered,
    )


def take(stream: Stream) -> Frame:
    """All batches of a stream, which is released."""
    try:
        fields = fields_of(stream)
        batches: list[_Batch] = []
        while True:
            array = Array()
            _check(stream, stream.get_next(ctypes.byref(stream), ctypes.byref(array)))
            if not array.release:
                return Frame(fields, batches)
            batches.append(_Batch(array))
    finally:
        if stream.release:
            stream.release(ctypes.byref(stream))


def text_column(name: str, values: Any) -> Column:
    """Strings one behind the other; None is missing."""
    missing = np.array([value is None for value in values], bool)
    parts = [b"" if value is None else value.encode() for value in values]
    data = b"".join(parts)
    offsets = np.zeros(len(parts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)), out=offsets[1:])
    wide = len(data) >= 2**31
    return Column(
        name, "U" if wide else "u", len(parts),
        [np.packbits(~missing, bitorder="little") if missing.any() else None,
         offsets if wide else offsets.astype(np.int32), data],
        int(missing.sum()),
    )  # fmt: skip
