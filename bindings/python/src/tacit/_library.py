"""The shared library: where it is, its functions with their types, and statuses as exceptions.

The interface is tacit/job.h, called by ctypes, which lets other Python threads run meanwhile.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from pathlib import Path
from typing import Any, Callable, Sequence

from . import errors

OK, NOMEM, INVALID, PARSE, IO, INFEASIBLE, LIMIT, CANCELLED = range(8)

_EXCEPTIONS: dict[int, type[errors.TacitError]] = {
    INVALID: errors.InvalidError,
    PARSE: errors.ParseError,
    IO: errors.FileError,
    INFEASIBLE: errors.Refused,
    LIMIT: errors.LimitReached,
}

Pointer = ctypes.c_void_p
Text = ctypes.c_char_p
ProgressFunction = ctypes.CFUNCTYPE(
    ctypes.c_bool, Text, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p
)
MessageFunction = ctypes.CFUNCTYPE(None, ctypes.c_int, Text, ctypes.c_void_p)


class Run(ctypes.Structure):
    """tacit_run of base.h."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("threads", ctypes.c_int),
        ("seed", ctypes.c_uint8 * 32),
        ("progress", ProgressFunction),
        ("payload", ctypes.c_void_p),
    ]


# What each function gives and takes. Texts that a caller frees are pointers: c_char_p would be
# converted at once and the pointer lost.
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "tacit_version": (Text, []),
    "tacit_error_new": (Pointer, []),
    "tacit_error_free": (None, [Pointer]),
    "tacit_error_format": (Text, [Pointer, Text, ctypes.c_size_t]),
    "tacit_text_free": (None, [Pointer]),
    "tacit_run_init_sized": (None, [ctypes.POINTER(Run), ctypes.c_size_t]),
    "tacit_job_kind": (Text, [ctypes.c_size_t]),
    "tacit_job_group": (Text, [Text, ctypes.c_size_t]),
    "tacit_job_choice": (
        Text,
        [Text, ctypes.c_size_t, ctypes.c_size_t, Text, ctypes.c_size_t],
    ),
    "tacit_setting_name": (Text, [Pointer]),
    "tacit_setting_type_of": (ctypes.c_int, [Pointer]),
    "tacit_setting_argument": (Text, [Pointer]),
    "tacit_setting_help": (Text, [Pointer]),
    "tacit_setting_is_policy": (ctypes.c_bool, [Pointer]),
    "tacit_job_new": (ctypes.c_int, [ctypes.POINTER(Pointer), Text, Pointer]),
    "tacit_job_free": (None, [Pointer]),
    "tacit_job_setting": (Pointer, [Pointer, ctypes.c_size_t]),
    "tacit_job_set": (ctypes.c_int, [Pointer, Text, Text, Pointer]),
    "tacit_job_set_text": (ctypes.c_int, [Pointer, Text, Text, Pointer]),
    "tacit_job_input_file": (ctypes.c_int, [Pointer, Text, Pointer]),
    "tacit_job_input_bytes": (
        ctypes.c_int,
        [Pointer, Text, ctypes.c_size_t, Pointer],
    ),
    "tacit_job_input_arrow": (ctypes.c_int, [Pointer, Pointer, Pointer]),
    "tacit_job_set_arrow": (ctypes.c_int, [Pointer, Text, Pointer, Pointer]),
    "tacit_job_output_arrow": (ctypes.c_int, [Pointer, Text, Pointer, Pointer]),
    "tacit_job_output_descriptor": (
        ctypes.c_int,
        [Pointer, Text, ctypes.c_int, Pointer],
    ),
    "tacit_job_on_message": (None, [Pointer, MessageFunction, Pointer]),
    "tacit_job_run": (ctypes.c_int, [Pointer, ctypes.POINTER(Run), Pointer]),
    "tacit_job_save": (ctypes.c_int, [Pointer, Text, Pointer]),
    "tacit_job_commit": (ctypes.c_int, [Pointer, Pointer]),
    "tacit_job_discloses": (ctypes.c_bool, [Pointer]),
    "tacit_job_report": (ctypes.c_int, [Pointer, ctypes.POINTER(Pointer), Pointer]),
    "tacit_job_page": (ctypes.c_int, [Pointer, ctypes.POINTER(Pointer), Pointer]),
    "tacit_job_text": (
        ctypes.c_int,
        [Pointer, ctypes.c_bool, ctypes.POINTER(Pointer), Pointer],
    ),
    "tacit_save_arrow": (
        ctypes.c_int,
        [Text, Pointer, ctypes.POINTER(Run), Pointer],
    ),
}


def _candidates() -> list[str]:
    """The library that TACIT_LIBRARY names, or the wheel's, or the system's."""
    named = os.environ.get("TACIT_LIBRARY")
    if named:
        return [named]
    own = Path(__file__).with_name("libtacit.so")
    found = ctypes.util.find_library("tacit")
    return [str(own)] if own.exists() else [found] if found else []


def _load() -> ctypes.CDLL:
    candidates = _candidates()
    if not candidates:
        raise ImportError(
            "tacit: this package has no library inside; install it with `pip install .` from "
            "bindings/python, or name the library in TACIT_LIBRARY"
        )
    try:
        library = ctypes.CDLL(candidates[0])
    except OSError as reason:
        raise ImportError(f"tacit: the library does not load: {reason}") from None
    for name, (result, arguments) in _FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(
                f"tacit: {candidates[0]} has no {name}; it is of another version than this package"
            ) from None
        function.restype = result
        function.argtypes = arguments
    return library


lib = _load()


def decode(text: bytes | None) -> str:
    return (text or b"").decode("utf-8", "replace")


version = decode(lib.tacit_version())


def take_text(pointer: ctypes.c_void_p) -> str:
    """A text that the library gave away, which is freed."""
    try:
        return decode(ctypes.string_at(pointer)) if pointer else ""
    finally:
        lib.tacit_text_free(pointer)


def call(function: Callable[..., int], *arguments: object) -> None:
    """Calls a function whose last parameter is the error, and raises what it says."""
    error = Pointer(lib.tacit_error_new())
    if not error:
        raise MemoryError
    try:
        status = function(*arguments, error)
        if status != OK:
            raise exception(status, _format(error))
    finally:
        lib.tacit_error_free(error)


def _format(error: ctypes.c_void_p) -> str:
    buffer = ctypes.create_string_buffer(1200)
    return decode(lib.tacit_error_format(error, buffer, len(buffer)))


def exception(status: int, message: str) -> BaseException:
    """The exception of a status."""
    if status == NOMEM:
        return MemoryError(message)
    if status == CANCELLED:
        return KeyboardInterrupt()
    return _EXCEPTIONS.get(status, errors.TacitError)(message)


def names(of: Callable[..., bytes | None], *arguments: object) -> Sequence[str]:
    """What a function lists by index, up to NULL."""
    found: list[str] = []
    while True:
        name = of(*arguments, len(found))
        if name is None:
            return found
        found.append(decode(name))
