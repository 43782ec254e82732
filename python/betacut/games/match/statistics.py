"""What the games of a match say about strength: Elo with intervals, and when to stop.

Games come in pairs: the same opening twice, with colours changed. The two games of a pair are not
independent, for an opening that favours White gives a win to each side; pairs are. So everything
here counts pairs by their score, the pentanomial counts, as soon as there are any.

The figures come from the Rust core (`rust/lab/src/statistics.rs`), which names the sources. An
argument of the wrong type is a `TypeError`, one that is out of range a `ValueError`.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from betacut import _betacut
from betacut.core.arguments import check_count, check_iterable, check_type
from betacut.core.messages import described, shown

__all__ = [
    "Estimate",
    "Sprt",
    "Tally",
    "elo",
    "elo_of_score",
    "normalized_elo",
    "score_of_elo",
    "sprt",
    "superiority",
]


@dataclass(frozen=True)
class Tally:
    """The results of games, from the point of view of one player.

    Attributes:
        wins: Games won, in pairs and out of them.
        draws: Games drawn.
        losses: Games lost.
        pairs: How many pairs scored 0, ½, 1, 1½ and 2 points: the pentanomial counts.

    Raises:
        ValueError: If the pairs have more games than there are.

    Examples:
        >>> Tally.of_pairs([(1, 0.5), (0.5, 0.5), (0, 1)])
        Tally(wins=2, draws=3, losses=1, pairs=(0, 0, 2, 1, 0))
        >>> Tally(wins=2, losses=1).reversed()
        Tally(wins=1, draws=0, losses=2, pairs=(0, 0, 0, 0, 0))
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        for name in ("wins", "draws", "losses"):
            check_count(getattr(self, name), name, "games")
        pairs: object = self.pairs
        if not isinstance(pairs, tuple) or len(pairs) != 5:
            raise TypeError(f"pairs must be a tuple of five counts, not {described(pairs)}")
        for index, count in enumerate(pairs):
            check_count(count, f"pairs[{index}]", "pairs")
        if 2 * sum(self.pairs) > self.games:
            raise ValueError(f"{sum(self.pairs)} pairs are more than {self.games} games make")

    @classmethod
    def of_pairs(cls, pairs: Iterable[Sequence[float]], singles: Iterable[float] = ()) -> "Tally":
        """Count pairs of games.

        Args:
            pairs: The points of each pair's two games: 0, ½ or 1.
            singles: The points of games without a partner.

        Returns:
            The counts.
        """
        counts, games = [0] * 5, [0, 0, 0]
        check_iterable(pairs, "pairs", "results")
        check_iterable(singles, "singles", "results")
        for pair in pairs:
            check_iterable(pair, "a pair of results", "results")
            points = [*islice(pair, 3)]
            if len(points) != 2:
                raise ValueError(f"a pair of results must have two games, not {shown(pair)}")
            halves = [_half_points(result) for result in points]
            counts[sum(halves)] += 1
            for half in halves:
                games[half] += 1
        for result in singles:
            games[_half_points(result)] += 1
        return cls(games[2], games[1], games[0], tuple(counts))  # type: ignore[arg-type]

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points won."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """The points by the games; ½ without games."""
        return self.points / self.games if self.games else 0.5

    def reversed(self) -> "Tally":
        """Look at the same games from the other side."""
        return Tally(self.losses, self.draws, self.wins, self.pairs[::-1])

    def __add__(self, other: "Tally") -> "Tally":
        if not isinstance(other, Tally):
            return NotImplemented
        pairs = tuple(map(sum, zip(self.pairs, other.pairs, strict=True)))
        wins, draws = self.wins + other.wins, self.draws + other.draws
        return Tally(wins, draws, self.losses + other.losses, pairs)  # type: ignore[arg-type]


def _half_points(result: object) -> int:
    if isinstance(result, bool) or not isinstance(result, (int, float)):
        raise TypeError(f"a result must be 0, 0.5 or 1 points, not {described(result)}")
    if result not in (0.0, 0.5, 1.0):
        raise ValueError(f"a result must be 0, 0.5 or 1 points, not {shown(result)}")
    return int(2 * result)


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval.

    Attributes:
        value: The figure; infinite if everything was won or lost.
        low: Where the interval begins; may be infinite.
        high: Where it ends.
        confidence: How often such intervals hold the truth.
        exact: Whether the interval is the exact binomial one, which is taken for samples without
            spread, rather than Student's.
    """

    value: float
    low: float
    high: float
    confidence: float
    exact: bool = False

    def __str__(self) -> str:
        interval = f"{100 * self.confidence:g}%: {self.low:+.1f} to {self.high:+.1f}"
        return f"{self.value:+.1f} ({interval})"


def _sample(tally: Tally) -> _betacut.Sample:
    """The observations of a tally: pairs, or single games where there are no pairs."""
    check_type(tally, "tally", "a Tally", Tally)
    counts = tally.pairs if sum(tally.pairs) else (tally.losses, tally.draws, tally.wins)
    return _betacut.Sample(counts)


def elo_of_score(score: float) -> float:
    """The difference in Elo that goes with an expected score.

    Args:
        score: The expected points by game, 0 to 1.

    Returns:
        The difference; infinite for 0 and 1.

    Raises:
        TypeError, ValueError: If an argument is of the wrong type or out of range.

    Source:
        Elo (1978), in the logistic form.

    Examples:
        >>> round(elo_of_score(10 / 11)), round(elo_of_score(0.75), 1)
        (400, 190.8)
    """
    score = _checked(score, "score", lambda share: 0 <= share <= 1, "0 to 1")
    if score in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1) + 0.0  # no -0.0


def score_of_elo(elo: float) -> float:
    """The expected score that goes with a difference in Elo.

    Args:
        elo: The difference.

    Returns:
        The expected points by game, 0 to 1.

    Raises:
        TypeError, ValueError: If it is no number.

    Examples:
        >>> score_of_elo(0), round(score_of_elo(400), 4)
        (0.5, 0.9091)
    """
    elo = _check_number(elo, "elo")
    return 1 / (1 + 10 ** (-max(min(elo, 1e5), -1e5) / 400)) if elo > -1e5 else 0.0


def _check_number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number, not {described(value)}")
    if math.isnan(value):
        raise ValueError(f"{name} must be a number, not nan")
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)


def _checked(value: object, name: str, fits: Callable[[float], bool], wanted: str) -> float:
    number = _check_number(value, name)
    if not fits(number):
        raise ValueError(f"{name} must be {wanted}, not {shown(value)}")
    return number


def _check_confidence(confidence: object) -> float:
    return _checked(confidence, "confidence", lambda share: 0 < share < 1, "between 0 and 1")


def elo(tally: Tally, *, confidence: float = 0.95) -> Estimate:
    """Estimate the difference in Elo.

    The interval is that of the mean score of the pairs, by Student's distribution, carried over to
    Elo. If all pairs have the same score, their spread says nothing: `±0` would be wrong. Then the
    exact binomial lower limit for the share of such pairs is taken, and the rest may have scored
    anything.

    Args:
        tally: The games.
        confidence: How often such intervals are to hold the truth, between 0 and 1.

    Returns:
        The difference, with its interval; 0, -inf and inf without games.

    Raises:
        TypeError, ValueError: If an argument is of the wrong type or out of range.

    Cost:
        Less than a millisecond.

    Examples:
        >>> print(elo(Tally.of_pairs([(1, 0.5)] * 30 + [(0.5, 0.5)] * 50 + [(0, 0.5)] * 20)))
        +17.4 (95%: -6.9 to +41.8)
        >>> print(elo(Tally.of_pairs([(1, 1)] * 10)))
        +inf (95%: +140.2 to +inf)
    """
    confidence = _check_confidence(confidence)
    value, low, high, exact = _sample(tally).elo(confidence)
    return Estimate(value, low, high, confidence, exact)


def normalized_elo(tally: Tally, *, confidence: float = 0.95) -> Estimate:
    """Estimate the difference in normalized Elo: the distance from ½ in spreads of a game.

    With the mean s and the variance v of the pairs' scores it is (s - ½) / √(2v) · 800 / ln 10.
    The number of games that a test needs depends on it alone; and it says the same whatever the
    share of draws, which Elo does not. The interval takes into account that the spread is
    estimated too.

    Args:
        tally: The games.
        confidence: How often such intervals are to hold the truth, between 0 and 1.

    Returns:
        The difference, with its interval. If all pairs have the same score it is 0 or infinite, and
        the interval is bounded only by the exact binomial limit, if at all.

    Raises:
        TypeError, ValueError: If an argument is of the wrong type or out of range.

    Source:
        Van den Bergh, "Normalized Elo" (2020).

    Examples:
        >>> print(normalized_elo(Tally(pairs=(0, 20, 50, 30, 0), wins=30, draws=150, losses=20)))
        +35.1 (95%: -14.5 to +84.7)
    """
    confidence = _check_confidence(confidence)
    value, low, high, exact = _sample(tally).normalized_elo(confidence)
    return Estimate(value, low, high, confidence, exact)


def superiority(tally: Tally) -> float:
    """The likelihood of superiority: how sure it is that the player is the stronger one.

    Args:
        tally: The games.

    Returns:
        The probability that the mean score is above ½, 0 to 1: by Student's distribution, as the
        interval of `elo`. If all pairs have the same score, by the games that were won or lost: 1 -
        ½ⁿ⁺¹ after n wins without a loss, ½ⁿ⁺¹ after n losses, every share of wins being as likely
        as any other before. ½ without a game, or with draws alone.

    Raises:
        TypeError: If it is no `Tally`.

    Examples:
        >>> round(superiority(Tally(pairs=(0, 20, 50, 30, 0), wins=30, draws=150, losses=20)), 3)
        0.921
        >>> superiority(Tally.of_pairs([(1, 1)]))
        0.875
    """
    return _sample(tally).superiority()


@dataclass(frozen=True)
class Sprt:
    """Where a sequential test stands.

    Attributes:
        elo0: The difference of the hypothesis H0.
        elo1: That of H1.
        alpha: How often H1 may be accepted though H0 is true.
        beta: How often H0 may be accepted though H1 is true.
        normalized: Whether these are normalized Elo.
        llr: The logarithm of the likelihood ratio.
        lower: H0 is accepted at this ratio or below.
        upper: H1 is accepted at this ratio or above.
    """

    elo0: float
    elo1: float
    alpha: float
    beta: float
    normalized: bool
    llr: float
    lower: float
    upper: float

    @property
    def accepted(self) -> str | None:
        """The hypothesis that is accepted, "H0" or "H1"; None while the test goes on."""
        return "H0" if self.llr <= self.lower else "H1" if self.llr >= self.upper else None

    def __str__(self) -> str:
        unit = "nElo" if self.normalized else "Elo"
        said = f"{self.accepted} is accepted" if self.accepted else "goes on"
        return (
            f"LLR {self.llr:.2f} ({self.lower:.2f}, {self.upper:.2f}) "
            f"[{self.elo0:g}, {self.elo1:g}] {unit}: {said}"
        )


def sprt(
    tally: Tally,
    elo0: float,
    elo1: float,
    *,
    alpha: float = 0.05,
    beta: float = 0.05,
    normalized: bool = False,
) -> Sprt:
    """The sequential probability ratio test: is the difference elo1 rather than elo0?

    The ratio is the generalised one: under each hypothesis those probabilities of the five results
    of a pair are taken that make the counts likeliest. H1 is accepted when its logarithm reaches
    ln((1 - beta) / alpha), H0 at ln(beta / (1 - alpha)).

    A result that has not come up counts as half a pair, for otherwise a sample of wins only would
    have no likelihood under either hypothesis; the shares found so are then taken for as many pairs
    as were played, lest the halves add any weight.

    Args:
        tally: The games; those without a partner count only if there are no pairs.
        elo0: The difference of H0.
        elo1: That of H1, greater than `elo0`.
        alpha: How often H1 may be accepted though H0 is true, between 0 and ½.
        beta: How often H0 may be accepted though H1 is true, between 0 and ½.
        normalized: Whether the differences are normalized Elo.

    Returns:
        The ratio and its bounds.

    Raises:
        TypeError, ValueError: If an argument is of the wrong type or out of range.

    Cost:
        Less than a millisecond.

    Source:
        Wald (1947); Van den Bergh, "A Practical Introduction to the GSPRT" (2019).

    Examples:
        >>> print(sprt(Tally(pairs=(0, 200, 500, 300, 0), wins=300, draws=1500, losses=200), 0, 10))
        LLR 8.16 (-2.94, 2.94) [0, 10] Elo: H1 is accepted
        >>> print(sprt(Tally.of_pairs([(1, 1)] * 50), 0, 10))
        LLR 1.39 (-2.94, 2.94) [0, 10] Elo: goes on
    """
    sample = _sample(tally)
    elo0, elo1 = check_hypotheses(elo0, elo1)
    alpha, beta = check_errors(alpha, beta)
    llr = sample.llr(elo0, elo1, normalized=bool(normalized))
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    return Sprt(elo0, elo1, alpha, beta, bool(normalized), llr, lower, upper)


LARGEST_HYPOTHESIS = 1000.0  # the greatest difference that a test may be about, in Elo


def check_hypotheses(elo0: object, elo1: object) -> tuple[float, float]:
    """Check the differences of a sequential test."""
    wanted = f"between -{LARGEST_HYPOTHESIS:g} and {LARGEST_HYPOTHESIS:g}"
    low, high = (
        _checked(value, name, lambda elo: abs(elo) <= LARGEST_HYPOTHESIS, wanted)
        for value, name in ((elo0, "elo0"), (elo1, "elo1"))
    )
    if not low < high:
        raise ValueError(f"elo1 must be greater than elo0, not {shown(elo1)} and {shown(elo0)}")
    return low, high


def check_errors(alpha: object, beta: object) -> tuple[float, float]:
    """Check the error rates of a sequential test."""
    first, second = (
        _checked(value, name, lambda share: 1e-9 <= share <= 0.4999, "between 0 and 0.5")
        for value, name in ((alpha, "alpha"), (beta, "beta"))
    )
    return first, second
