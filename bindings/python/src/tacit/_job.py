"""A job of the library: settings, inputs, a run that can be watched and stopped, outputs and report.

The library runs in a thread of its own. The one that waits hears Ctrl-C and moves the progress bar,
so nothing but a number is kept in the callback, which comes from any thread of the library.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import os
import re
import sys
import threading
import time
import warnings
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Callable, Iterator, Mapping, Sequence

from . import _frames, _library
from ._arrow import Frame, Stream, take
from ._library import call, decode, lib
from ._policy import Policy, _unknown
from .errors import LimitReached, Refused, TacitWarning

__all__ = ["Choice", "Setting", "choices", "kinds", "settings"]

_TYPES = ("switch", "text", "file", "folder", "number", "seconds", "real", "character")
_WARNING = 1


@dataclass(frozen=True)
class Setting:
    """What a kind of job can be told by a keyword argument, ``_`` for ``-``."""

    name: str
    type: str
    argument: str | None
    help: str
    is_policy: bool


@dataclass(frozen=True)
class Choice:
    """What a kind of job offers by name, such as a method."""

    group: str
    name: str
    summary: str


def kinds() -> list[str]:
    """The kinds of jobs of the library."""
    return list(_library.names(lib.tacit_job_kind))


@functools.lru_cache(maxsize=None)
def settings(kind: str) -> tuple[Setting, ...]:
    """What a kind of job can be told: the keyword arguments of the function of that name."""
    job = Job(kind)
    found: list[Setting] = []
    while True:
        of = lib.tacit_job_setting(job.pointer, len(found))
        if not of:
            job.close()
            return tuple(found)
        argument = lib.tacit_setting_argument(of)
        found.append(
            Setting(
                decode(lib.tacit_setting_name(of)),
                _TYPES[lib.tacit_setting_type_of(of)],
                None if argument is None else decode(argument),
                decode(lib.tacit_setting_help(of)),
                bool(lib.tacit_setting_is_policy(of)),
            )
        )


def choices(kind: str) -> list[Choice]:
    """What a kind of job offers by name: methods, metrics and so on."""
    found: list[Choice] = []
    for index, group in enumerate(_library.names(lib.tacit_job_group, kind.encode())):
        summary = ctypes.create_string_buffer(400)
        item = 0
        while True:
            name = lib.tacit_job_choice(kind.encode(), index, item, summary, len(summary))
            if name is None:
                break
            found.append(Choice(group, decode(name), decode(summary.value)))
            item += 1
    return found


class Job:
    """A tacit_job."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.pointer = _library.Pointer()
        self.warnings: list[str] = []
        self._outputs: dict[str, Stream] = {}
        self._kept = False
        self._hidden: list[str] = []
        self._called: dict[str, str] = {}
        call(lib.tacit_job_new, ctypes.byref(self.pointer), kind.encode())

        def message(level: int, text: bytes | None, payload: object) -> None:
            if level == _WARNING:
                self.warnings.append(decode(text))

        self._message = _library.MessageFunction(message)
        lib.tacit_job_on_message(self.pointer, self._message, None)

    def __enter__(self) -> Job:
        return self

    def keep(self) -> Job:
        """Leaves the job open beyond the block that it was opened in."""
        self._kept = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._kept:
            self.close()

    def close(self) -> None:
        pointer, self.pointer = self.pointer, _library.Pointer()
        lib.tacit_job_free(pointer)

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            self.close()

    # ---- what it is told ----

    def set(self, name: str, value: str | None = None) -> None:
        call(
            lib.tacit_job_set,
            self.pointer,
            name.encode(),
            None if value is None else value.encode(),
        )

    def apply(self, given: Mapping[str, Any]) -> None:
        """Keyword arguments as settings: ``True`` for a switch, lists and mappings as several."""
        known = {each.name: each for each in settings(self.kind)}
        for keyword, value in given.items():
            setting = known.get(keyword.replace("_", "-"))
            if setting is None:
                raise TypeError(_unknown(f"{self.kind} has no setting", keyword, known))
            self._apply(setting, value)

    def _apply(self, setting: Setting, value: Any) -> None:
        if value is None or value is False:
            return
        if setting.type == "switch":
            if value is not True:
                raise TypeError(f"{setting.name.replace('-', '_')} takes True or False")
            self.set(setting.name)
        elif setting.type == "file" and _frames.is_frame(value):
            self.set_frame(setting.name, value)
        elif isinstance(value, Mapping):
            for name, of in value.items():
                self.set(setting.name, f"{name}={_as_text(of)}")
        elif isinstance(value, (list, tuple)) and ",..." not in (setting.argument or ""):
            for each in value:
                self._apply(setting, each)
        else:
            self.set(setting.name, _as_text(value))

    def set_frame(self, name: str, frame: Any) -> None:
        stream = _frames.stream(frame)
        with self._naming(f"the frame of {name}"):
            call(lib.tacit_job_set_arrow, self.pointer, name.encode(), ctypes.byref(stream))

    def input(self, data: Any) -> None:
        """What the job works on: a frame, or the path of a file."""
        if isinstance(data, (str, os.PathLike)):
            call(lib.tacit_job_input_file, self.pointer, os.fsencode(data))
        elif isinstance(data, bytes):
            with self._naming("the text"):
                call(lib.tacit_job_input_bytes, self.pointer, data, len(data))
        else:
            stream = _frames.stream(data)
            with self._naming("the data"):
                call(lib.tacit_job_input_arrow, self.pointer, ctypes.byref(stream))

    def hide(self, folder: str) -> None:
        """Messages leave out the name of a folder that only the job knows."""
        self._hidden.append(folder.rstrip("/") + "/")

    def _said(self, text: str) -> str:
        """What the library says, with names for what is in memory."""
        for folder in self._hidden:
            text = text.replace(folder, "")
        return re.sub(r"/dev/fd/\d+", lambda found: self._called.get(found[0], found[0]), text)

    @contextlib.contextmanager
    def _naming(self, name: str) -> Iterator[None]:
        """Notes what the descriptor that the job opens meanwhile stands for."""
        before = _descriptors()
        yield
        opened = _descriptors() - before
        if len(opened) == 1:
            self._called[f"/dev/fd/{opened.pop()}"] = name

    def output_descriptor(self, name: str, descriptor: int) -> None:
        self._called[f"/dev/fd/{descriptor}"] = "the output"
        call(lib.tacit_job_output_descriptor, self.pointer, name.encode(), descriptor)

    def output_frame(self, name: str) -> None:
        stream = Stream()
        with self._naming("the release" if name == "output" else f"the {name}"):
            call(lib.tacit_job_output_arrow, self.pointer, name.encode(), ctypes.byref(stream))
        self._outputs[name] = stream

    # ---- its run ----

    def run(self, progress: bool | None = None) -> None:
        """Runs up to the judge's verdict."""
        self._watch = _Watch(progress)
        run = ctypes.byref(self._watch.run)
        self._end(*self._watch.call(lib.tacit_job_run, self.pointer, run))

    def commit(self) -> None:
        """Makes what was asked for appear."""
        self._end(*self._watch.call(lib.tacit_job_commit, self.pointer))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a release that was committed to a further file."""
        self._end(*self._watch.call(lib.tacit_job_save, self.pointer, os.fsencode(path)))

    def _end(self, status: int, message: str) -> None:
        message = self._said(message)
        said = [self._said(text) for text in self.warnings]
        self.warnings.clear()
        for text in said:
            if not text.startswith(_JUDGED):
                warnings.warn(text, TacitWarning, stacklevel=4)
        if status == _library.CANCELLED and not self._watch.stopped:
            raise LimitReached("the time was over before there was a result; allow more of it")
        if status == _library.INFEASIBLE:
            raise _refused(message, said)
        if status != _library.OK:
            raise _library.exception(status, message)

    # ---- what it has made ----

    def frame(self, name: str) -> Frame:
        """An output that was asked for with :meth:`output_frame`, after the commit."""
        return take(self._outputs.pop(name))

    @property
    def discloses(self) -> bool:
        return bool(lib.tacit_job_discloses(self.pointer))

    def _rendered(self, function: Callable[..., int], *arguments: object) -> str:
        text = _library.Pointer()
        call(function, self.pointer, *arguments, ctypes.byref(text))
        return self._said(_library.take_text(text))

    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._rendered(lib.tacit_job_report))
        return found

    def page(self) -> str:
        return self._rendered(lib.tacit_job_page)

    def text(self) -> str:
        return self._rendered(lib.tacit_job_text, False)


def _descriptors() -> set[str]:
    """Files without a name that the process has open, such as those in memory."""
    found = set()
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/self/fd/{number}").startswith("/memfd:tacit"):
                found.add(number)
    return found


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, (list, tuple)):
        return ",".join(map(_as_text, value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


_JUDGED = "the judge finds: "
_NOTHING = "nothing is written: "


def _refused(message: str, said: Sequence[str]) -> Refused:
    """The first finding is in the message, the others were warnings."""
    first = message.split(_NOTHING, 1)[-1]
    others = [text[len(_JUDGED) :] for text in said if text.startswith(_JUDGED)]
    return Refused(message, [first, *others])


class _Watch:
    """A call in a thread of its own, with a progress bar, that Ctrl-C stops."""

    def __init__(self, progress: bool | None) -> None:
        self._bar = _Bar() if _wants_bar(progress) else None
        self._state: tuple[str, int, int] = ("", 0, 0)
        self.stopped = False
        # The library calls back while a job is run and while it is committed: both are kept here.
        self.run = _library.Run()
        lib.tacit_run_init_sized(ctypes.byref(self.run), ctypes.sizeof(self.run))
        self.run.progress = _library.ProgressFunction(self._on_progress)

    def _on_progress(self, phase: bytes, done: int, total: int, payload: object) -> bool:
        self._state = (decode(phase), done, total)
        return not self.stopped

    def call(self, function: Callable[..., int], *arguments: object) -> tuple[int, str]:
        """The status of a call, and what its error says."""
        error = _library.Pointer(lib.tacit_error_new())
        statuses: list[int] = []
        ended = threading.Lock()
        ended.acquire()

        def work() -> None:
            try:
                statuses.append(function(*arguments, error))
            finally:
                ended.release()

        try:
            thread = threading.Thread(target=work, name="tacit", daemon=True)
            thread.start()
            interrupted = self._wait(ended)
            thread.join()
            if interrupted is not None:
                raise interrupted
            return statuses[0], _library._format(error)
        finally:
            if self._bar:
                self._bar.close()
            lib.tacit_error_free(error)

    def _wait(self, ended: threading.Lock) -> BaseException | None:
        """Until the call has ended; whatever comes in between stops it and is given back."""
        interrupted = None
        while True:
            try:
                while not ended.acquire(timeout=0.1 if self._bar else 3600):
                    if self._bar:
                        self._bar.show(*self._state)
                return interrupted
            except BaseException as reason:  # KeyboardInterrupt, or what a signal handler raises
                self.stopped = True
                interrupted = reason


def _wants_bar(progress: bool | None) -> bool:
    if progress is not None:
        return progress
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)


class _Bar:
    """A tqdm bar for each phase, from half a second on; nothing where tqdm is not installed."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._phase = ""
        self._bar: Any = None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._make = tqdm

    def show(self, phase: str, done: int, total: int) -> None:
        if not self._make or time.monotonic() - self._begun < 0.5:
            return
        if self._bar is None or phase != self._phase:
            self.close()
            self._phase = phase
            self._bar = self._make(total=total or None, desc=phase, leave=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
