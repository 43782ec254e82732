"""What the games of a match say about strength: Elo with intervals, and when to stop.

Games come in pairs: the same opening twice, with colours changed. The two games of a pair are not
independent, for an opening that favours White gives a win to each side; pairs are. So everything
here counts pairs by their score, the pentanomial counts, as soon as there are any.

Sources:

- A. E. Elo, "The Rating of Chessplayers, Past and Present" (1978): the logistic curve, on which 400
  points are odds of ten to one.
- M. Van den Bergh, "A Practical Introduction to the GSPRT" and "Normalized Elo" (2019, 2020): the
  generalised likelihood ratio of the counts, and Elo in units of the spread of a game.
- A. Wald, "Sequential Analysis" (1947): the bounds of the test.
- C. J. Clopper and E. S. Pearson, "The Use of Confidence or Fiducial Limits" (1934): the exact
  binomial interval, for samples without spread.
- Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 and 26.7.4: Student's
  distribution as a finite sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from statistics import NormalDist

from betacut.core.arguments import check_count
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

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The score of a pair of games, as a share of its two points."""

GAME_SCORES = (0.0, 0.5, 1.0)
"""The score of a game."""

NORMALIZED = 800 / math.log(10)
"""Normalized Elo by spread of a game: 347.4."""

EMPTY_CELL = 0.5
"""What stands for the pairs that a cell of the sequential test has not got yet."""

ALMOST_NORMAL = 300
"""From so many degrees of freedom on Student's distribution is taken to be normal."""


@dataclass(frozen=True)
class Tally:
    """The results of games, from the point of view of one player.

    Attributes:
        wins: Games won, in pairs and out of them.
        draws: Games drawn.
        losses: Games lost.
        pairs: How many pairs scored 0, ½, 1, 1½ and 2 points: the pentanomial counts.

    Raises:
        TypeError: If a count is no integer, or `pairs` are not five of them.
        ValueError: If a count is negative, or the pairs have more games than there are.

    Examples:
        >>> Tally.of_pairs([(1, 0.5), (0.5, 0.5), (0, 1)])
        Tally(wins=2, draws=3, losses=1, pairs=(0, 0, 2, 1, 0))
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        for name in ("wins", "draws", "losses"):
            check_count(getattr(self, name), name, "games")
        pairs: object = self.pairs
        if not isinstance(pairs, tuple) or len(pairs) != len(PAIR_SCORES):
            raise TypeError(f"pairs must be a tuple of five counts, not {described(pairs)}")
        for index, count in enumerate(pairs):
            check_count(count, f"pairs[{index}]", "pairs")
        if 2 * sum(self.pairs) > self.games:
            raise ValueError(f"{sum(self.pairs)} pairs are more than {self.games} games make")

    @classmethod
    def of_pairs(cls, pairs: Iterable[Sequence[float]], singles: Iterable[float] = ()) -> Tally:
        """Count pairs of games.

        Args:
            pairs: The points of each pair's two games: 0, ½ or 1.
            singles: The points of games without a partner.

        Returns:
            The counts.

        Raises:
            TypeError: If a pair is no sequence, or a result no number.
            ValueError: If a pair does not have two games, or a result is none of 0, ½ and 1.
        """
        counts, games = [0] * len(PAIR_SCORES), [0, 0, 0]
        for pair in _iterated(pairs, "pairs"):
            points = [*islice(_iterated(pair, "a pair of results"), 3)]
            if len(points) != 2:
                raise ValueError(f"a pair of results must have two games, not {shown(pair)}")
            halves = [_half_points(result) for result in points]
            counts[sum(halves)] += 1
            for half in halves:
                games[half] += 1
        for result in _iterated(singles, "singles"):
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

    def reversed(self) -> Tally:
        """Look at the same games from the other side."""
        return Tally(self.losses, self.draws, self.wins, self.pairs[::-1])

    def __add__(self, other: Tally) -> Tally:
        """Put games together."""
        if not isinstance(other, Tally):
            return NotImplemented
        pairs = [one + more for one, more in zip(self.pairs, other.pairs, strict=True)]
        return Tally(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            (pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]),
        )


def _iterated(values: object, name: str) -> Iterable[object]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be an iterable of results, not {described(values)}")
    return values


def _half_points(result: object) -> int:
    if isinstance(result, bool) or not isinstance(result, (int, float)):
        raise TypeError(f"a result must be 0, 0.5 or 1 points, not {described(result)}")
    if result not in GAME_SCORES:
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
        return f"{self.value:+.1f} ({self.confidence:.0%}: {self.low:+.1f} to {self.high:+.1f})"


@dataclass(frozen=True)
class _Sample:
    """The observations of a tally: pairs, or single games where there are no pairs."""

    scores: tuple[float, ...]
    counts: tuple[int, ...]

    @property
    def size(self) -> int:
        return sum(self.counts)

    @property
    def mean(self) -> float:
        return self.moment(1, 0.0)

    def moment(self, power: int, center: float) -> float:
        """The mean of a power of the distance from the centre."""
        terms = (
            count * (score - center) ** power
            for count, score in zip(self.counts, self.scores, strict=True)
        )
        return math.fsum(terms) / self.size

    @property
    def spreadless(self) -> bool:
        """Whether all observations are the same, one being the least case of that."""
        return sum(1 for count in self.counts if count) <= 1

    @property
    def games_each(self) -> int:
        """The games of an observation."""
        return 2 if len(self.scores) == len(PAIR_SCORES) else 1


def _sample(tally: object) -> _Sample:
    if not isinstance(tally, Tally):
        raise TypeError(f"tally must be a Tally, not {described(tally)}")
    if sum(tally.pairs):
        return _Sample(PAIR_SCORES, tally.pairs)
    return _Sample(GAME_SCORES, (tally.losses, tally.draws, tally.wins))


def elo_of_score(score: float) -> float:
    """The difference in Elo that goes with an expected score.

    Args:
        score: The expected points by game, 0 to 1.

    Returns:
        The difference; infinite for 0 and 1.

    Raises:
        TypeError: If the score is no number.
        ValueError: If it is out of range.

    Source:
        Elo (1978), in the logistic form.

    Examples:
        >>> round(elo_of_score(10 / 11)), round(elo_of_score(0.75), 1)
        (400, 190.8)
    """
    score = _check_share(score, "score", open_ends=False)
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
        TypeError: If it is no number.
        ValueError: If it is nan.

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


def _check_share(value: object, name: str, *, open_ends: bool = True) -> float:
    number = _check_number(value, name)
    if not (0 < number < 1 if open_ends else 0 <= number <= 1):
        between = "between 0 and 1" if open_ends else "0 to 1"
        raise ValueError(f"{name} must be {between}, not {shown(value)}")
    return number


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

    Cost:
        Less than a millisecond.

    Examples:
        >>> print(elo(Tally.of_pairs([(1, 0.5)] * 30 + [(0.5, 0.5)] * 50 + [(0, 0.5)] * 20)))
        +17.4 (95%: -6.9 to +41.8)
        >>> print(elo(Tally.of_pairs([(1, 1)] * 10)))
        +inf (95%: +140.2 to +inf)
    """
    confidence = _check_share(confidence, "confidence")
    sample = _sample(tally)
    if not sample.size:
        return Estimate(0.0, -math.inf, math.inf, confidence, exact=True)
    mean = sample.mean
    if sample.spreadless:
        share = _least_share(sample.size, confidence)
        low, high = mean * share, 1 - (1 - mean) * share
    else:
        error = math.sqrt(sample.moment(2, mean) / (sample.size - 1))
        reach = _student_quantile((1 + confidence) / 2, sample.size - 1) * error
        low, high = max(mean - reach, 0.0), min(mean + reach, 1.0)
    return Estimate(
        elo_of_score(mean), elo_of_score(low), elo_of_score(high), confidence, sample.spreadless
    )


def _least_share(size: int, confidence: float) -> float:
    """The exact lower limit for the share of what was found in every one of so many trials."""
    return float(((1 - confidence) / 2) ** (1 / size))


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

    Source:
        Van den Bergh, "Normalized Elo" (2020).

    Examples:
        >>> print(normalized_elo(Tally(pairs=(0, 20, 50, 30, 0), wins=30, draws=150, losses=20)))
        +35.1 (95%: -14.5 to +84.7)
    """
    confidence = _check_share(confidence, "confidence")
    sample = _sample(tally)
    if not sample.size:
        return Estimate(0.0, -math.inf, math.inf, confidence, exact=True)
    mean, unit = sample.mean, NORMALIZED / math.sqrt(sample.games_each)
    if sample.spreadless:
        return _spreadless_normalized(sample, unit, confidence)
    spread = math.sqrt(sample.moment(2, mean))
    value = (mean - 0.5) / spread
    skewness = sample.moment(3, mean) / spread**3
    kurtosis = sample.moment(4, mean) / spread**4
    # By the delta method, for the ratio of a mean and a spread that are both estimated.
    variance = max(1 - value * skewness + value**2 * (kurtosis - 1) / 4, 0.0)
    reach = _student_quantile((1 + confidence) / 2, sample.size - 1)
    reach *= math.sqrt(variance / max(sample.size - 1, 1))
    return Estimate(unit * value, unit * (value - reach), unit * (value + reach), confidence)


def _spreadless_normalized(sample: _Sample, unit: float, confidence: float) -> Estimate:
    """The same if all observations are equal: the spread may have any value."""
    mean = sample.mean
    if mean == 0.5:
        return Estimate(0.0, -math.inf, math.inf, confidence, exact=True)
    # The least that is possible: the rest is at the other end.
    share, side = _least_share(sample.size, confidence), math.copysign(1.0, mean - 0.5)
    distance = mean if side > 0 else 1 - mean
    least = unit * (share * distance - 0.5) / (distance * math.sqrt(share * (1 - share)))
    low, high = (least, math.inf) if side > 0 else (-math.inf, -least)
    return Estimate(side * math.inf, low, high, confidence, exact=True)


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
    sample = _sample(tally)
    if not sample.size:
        return 0.5
    lead = sample.mean - 0.5
    if sample.spreadless:
        decisive = round(2 * abs(lead) * sample.games_each) * sample.size
        unsure = 0.5 ** (decisive + 1)
    else:
        error = math.sqrt(sample.moment(2, sample.mean) / (sample.size - 1))
        unsure = 1 - _student_cdf(abs(lead) / error, sample.size - 1)
    return 1 - unsure if lead > 0 else unsure


def _student_cdf(value: float, freedom: int) -> float:
    """The probability that Student's t is not greater than a value of 0 or more."""
    if freedom >= ALMOST_NORMAL:
        return NormalDist().cdf(value)
    angle = math.atan(value / math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    first = 1 if freedom % 2 == 0 else 2
    term, total = (1.0, 1.0) if first == 1 else (cosine, cosine if freedom > 1 else 0.0)
    for step in range(first, freedom - 2, 2):
        term *= cosine**2 * step / (step + 1)
        total += term
    inside = sine * total if first == 1 else (angle + sine * total) * 2 / math.pi
    return 0.5 + inside / 2


@cache
def _student_quantile(probability: float, freedom: int) -> float:
    """What Student's t stays below with a probability of ½ or more."""
    if freedom >= ALMOST_NORMAL:
        return NormalDist().inv_cdf(probability)
    low, high = 0.0, 1.0
    while _student_cdf(high, freedom) < probability and high < 1e9:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        if _student_cdf(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return high


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
        TypeError: If an argument is of the wrong type.
        ValueError: If one is out of range, or `elo1` is not greater than `elo0`.

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
    llr = 0.0
    if sample.size:
        cells = [count or EMPTY_CELL for count in sample.counts]
        shares = [cell / sum(cells) for cell in cells]
        if normalized:
            unit = NORMALIZED / math.sqrt(sample.games_each)
            under = [_likeliest_spread(shares, sample.scores, one / unit) for one in (elo0, elo1)]
        else:
            under = [_likeliest(shares, sample.scores, score_of_elo(one)) for one in (elo0, elo1)]
        terms = (
            share * math.log(one / zero) for share, zero, one in zip(shares, *under, strict=True)
        )
        llr = sample.size * math.fsum(terms)
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    return Sprt(elo0, elo1, alpha, beta, bool(normalized), llr, lower, upper)


LARGEST_HYPOTHESIS = 1000.0
"""The greatest difference that a test may be about. Elo."""


def check_hypotheses(elo0: object, elo1: object) -> tuple[float, float]:
    """Check the differences of a sequential test."""
    found = []
    for value, name in ((elo0, "elo0"), (elo1, "elo1")):
        number = _check_number(value, name)
        if abs(number) > LARGEST_HYPOTHESIS:
            raise ValueError(
                f"{name} must be between -{LARGEST_HYPOTHESIS:g} and {LARGEST_HYPOTHESIS:g}, "
                f"not {shown(value)}"
            )
        found.append(number)
    if not found[0] < found[1]:
        raise ValueError(f"elo1 must be greater than elo0, not {shown(elo1)} and {shown(elo0)}")
    return found[0], found[1]


def check_errors(alpha: object, beta: object) -> tuple[float, float]:
    """Check the error rates of a sequential test."""
    found = []
    for value, name in ((alpha, "alpha"), (beta, "beta")):
        number = _check_number(value, name)
        if not 1e-9 <= number <= 0.4999:
            raise ValueError(f"{name} must be between 0 and 0.5, not {shown(value)}")
        found.append(number)
    return found[0], found[1]


def _likeliest(shares: Sequence[float], values: Sequence[float], expected: float) -> list[float]:
    """The probabilities with an expected value under which the shares are likeliest.

    They are shareᵢ / (1 + θ (valueᵢ - expected)), with the θ for which they add up: the method of
    Lagrange. The sum of shareᵢ (valueᵢ - expected) / (1 + θ (valueᵢ - expected)) falls as θ grows.
    """
    distances = [value - expected for value in values]
    low, high = -1 / max(distances), -1 / min(distances)
    for _ in range(100):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        slope = math.fsum(
            share * distance / (1 + middle * distance)
            for share, distance in zip(shares, distances, strict=True)
        )
        low, high = (middle, high) if slope > 0 else (low, middle)
    theta = (low + high) / 2
    return [
        share / (1 + theta * distance) for share, distance in zip(shares, distances, strict=True)
    ]


def _likeliest_spread(
    shares: Sequence[float], values: Sequence[float], wanted: float
) -> list[float]:
    """The same for a distance from ½ of so many spreads.

    That is no linear condition. About the mean m and the spread s of some probabilities it is, to
    the first order, the expectation of value - ½ - wanted · s · (1 + ((value - m) / s)²) / 2, which
    is to be 0; so the linear problem is solved again and again, each time about its solution.
    """
    found = list(shares)
    for _ in range(100):
        before = found
        mean = math.fsum(p * value for p, value in zip(found, values, strict=True))
        spread = math.sqrt(
            math.fsum(p * (value - mean) ** 2 for p, value in zip(found, values, strict=True))
        )
        bent = [
            value - 0.5 - wanted * spread * (1 + ((value - mean) / spread) ** 2) / 2
            for value in values
        ]
        found = _likeliest(shares, bent, 0.0)
        if max(abs(p - q) for p, q in zip(before, found, strict=True)) < 1e-12:
            break
    return found
