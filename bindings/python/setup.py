"""Puts the library and the example data into the package, and says what the wheel runs on.

The library is built by CMake from the sources that this folder belongs to, in the build folder that
`make` uses (TACIT_BUILD names another). TACIT_LIBRARY names a library that is built already, TACIT_SOURCE the
sources where this folder is a copy.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

ROOT = Path(os.environ.get("TACIT_SOURCE", Path(__file__).resolve().parents[2]))
EXAMPLES = ("*.csv", "*.yaml", "letter.txt", "hierarchies/*", "techniques/*.yaml")


def version() -> str:
    return re.search(r"project\(tacit VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def library() -> Path:
    named = os.environ.get("TACIT_LIBRARY")
    if named:
        return Path(named)
    build = Path(os.environ.get("TACIT_BUILD", ROOT / "build"))
    subprocess.run(["cmake", "-S", ROOT, "-B", build], check=True)
    jobs = str(len(os.sched_getaffinity(0)))
    subprocess.run(["cmake", "--build", build, "--target", "tacit_shared", "-j", jobs], check=True)
    return build / "libtacit.so"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        package = Path(self.build_lib, "tacit")
        inside = package / "libtacit.so"
        shutil.copy(library().resolve(), inside)
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", inside], check=True)
        for pattern in EXAMPLES:
            for file in (ROOT / "examples").glob(pattern):
                to = package / "example_data" / file.relative_to(ROOT / "examples")
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, to)
        for name in ("LICENSE", "NOTICE"):
            shutil.copy(ROOT / name, package / name)


class WheelOfPlatform(bdist_wheel):
    """A wheel for any Python 3, as it is no extension module, but for one platform."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


setup(
    version=version(),
    distclass=WithLibrary,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": WheelOfPlatform},
)
