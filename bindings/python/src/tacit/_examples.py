"""The made-up data that comes with tacit."""

from __future__ import annotations

from pathlib import Path

__all__ = ["example"]


def example(name: str) -> Path:
    """The path of a file of made-up data: ``example("patients.csv")``, ``"patients.yaml"``,
    ``"firms.csv"``, ``"letter.txt"``, ``"hierarchies/branches.csv"``."""
    folder = Path(__file__).with_name("example_data")
    path = folder / name
    if not path.is_file():
        there = sorted(
            str(each.relative_to(folder)) for each in folder.rglob("*.*") if each.suffix != ".py"
        )
        raise FileNotFoundError(f"there is no example {name!r}, but {', '.join(there)}")
    return path
