"""A transformer in the style of scikit-learn, which need not be installed.

::

    from tacit.sklearn import Anonymizer

    model = make_pipeline(Anonymizer(policy), OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
"""

from __future__ import annotations

import inspect
from typing import Any, Dict, List, Optional

from . import _frames
from ._api import AnyPolicy, anonymize
from ._policy import Policy
from .errors import InvalidError
from .reports import AnonymizeReport

try:
    from sklearn.base import BaseEstimator as _Base
    from sklearn.base import TransformerMixin as _Mixin
    from sklearn.exceptions import NotFittedError as _NotFitted
except ImportError:

    class _Mixin:  # type: ignore[no-redef]
        """Nothing."""

    class _NotFitted(ValueError, AttributeError):  # type: ignore[no-redef]
        """What scikit-learn raises."""

    class _Base:  # type: ignore[no-redef]
        """What BaseEstimator has that pipelines and searches need."""

        def get_params(self, deep: bool = True) -> Dict[str, Any]:
            """The parameters of this estimator."""
            names = list(inspect.signature(type(self).__init__).parameters)[1:]
            return {name: getattr(self, name) for name in names}

        def set_params(self, **parameters: Any) -> _Base:
            """Changes parameters."""
            for name, value in parameters.items():
                if name not in self.get_params():
                    raise ValueError(f"Anonymizer has no parameter {name!r}")
                setattr(self, name, value)
            return self


__all__ = ["Anonymizer"]


class Anonymizer(_Mixin, _Base):  # type: ignore[misc]
    """Anonymizes a frame, row by row in its order.

    ``fit`` finds how far each column has to be generalized. ``transform`` releases a frame, the one
    that was fitted or another one, generalized at least so far: columns of training and test data
    then have the same values. Each frame is a release of its own that keeps the policy's promise, or
    is refused. Methods that generalize cell by cell (``local``) have no level for a column, and
    release each frame by itself.

    Rows that are suppressed stay, as ``*``, so that they match ``y``. Because their order stays, a
    result is for learning, not for publishing: release with :func:`tacit.anonymize`.

    Args:
        policy: a :class:`tacit.Policy`.
        seed: makes what is drawn at random the same in each run.
        settings: further settings of :func:`tacit.anonymize`.

    Attributes:
        report_: the report of the last frame that was fitted.
        levels_: the level of each quasi-identifying column; empty for methods without.
        feature_names_in_: the columns that were fitted.
    """

    def __init__(
        self,
        policy: AnyPolicy = None,
        *,
        seed: Optional[int] = None,
        settings: Optional[Dict[str, Any]] = None,
    ) -> None:
        self.policy = policy
        self.seed = seed
        self.settings = settings

    def fit(self, X: Any, y: Any = None) -> Anonymizer:
        """Finds how far columns have to be generalized."""
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **parameters: Any) -> Any:
        """Fits, and releases the same frame."""
        return self._fit(X)

    def transform(self, X: Any) -> Any:
        """A frame, generalized at least as far as the one that was fitted."""
        if not hasattr(self, "report_"):
            raise _not_fitted()
        names = _names(X)
        if names != self.feature_names_in_:
            raise InvalidError(
                "the columns are not those that were fitted: "
                f"{', '.join(names)} in place of {', '.join(self.feature_names_in_)}"
            )
        return self._release(X, self.levels_).data

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The columns of what :meth:`transform` gives."""
        if not hasattr(self, "report_"):
            raise _not_fitted()
        import numpy

        return numpy.asarray(self._names_out, dtype=object)

    def _fit(self, X: Any) -> Any:
        release = self._release(X, {})
        self.report_: AnonymizeReport = release.report
        self.levels_: Dict[str, int] = dict(release.report.levels)
        self.feature_names_in_: List[str] = _names(X)
        self.n_features_in_ = len(self.feature_names_in_)
        self._names_out = release._table.columns
        return release.data

    def _release(self, X: Any, levels: Dict[str, int]) -> Any:
        if not _frames.is_frame(X):
            raise InvalidError("Anonymizer takes frames with named columns, such as a DataFrame")
        given: Dict[str, Any] = {"keep_order": True, "suppressed": "keep", **(self.settings or {})}
        if isinstance(self.policy, Policy) and self.policy._text is None:
            policy: AnyPolicy = self.policy._at_least(levels)
        else:
            policy = self.policy
            given["generalize"] = levels
        return anonymize(X, policy, seed=self.seed, progress=False, **given)


def _names(X: Any) -> List[str]:
    return list(getattr(X, "columns", getattr(X, "column_names", [])))


def _not_fitted() -> Exception:
    made: Exception = _NotFitted("this Anonymizer is not fitted yet: call fit first")
    return made
