"""The statistics of pairs of games: closed forms, and simulations of what they promise."""

import math
import random
from collections.abc import Iterator, Sequence
from statistics import NormalDist

import pytest

from betacut.games.match import (
    Tally,
    elo,
    elo_of_score,
    normalized_elo,
    score_of_elo,
    sprt,
    superiority,
)

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


def tally(*pairs: int) -> Tally:
    """Pairs only, by their counts."""
    # Any games that make these pairs: the statistics look at the pairs.
    wins, draws = divmod(sum(index * count for index, count in enumerate(pairs)), 2)
    return Tally(wins, draws, 2 * sum(pairs) - wins - draws, pairs)  # type: ignore[arg-type]


def moments(shares: Sequence[float]) -> tuple[float, float]:
    """The mean and the variance of the scores of pairs with these shares."""
    total = sum(shares)
    mean = sum(p * s for p, s in zip(shares, PAIR_SCORES, strict=True)) / total
    variance = sum(p * (s - mean) ** 2 for p, s in zip(shares, PAIR_SCORES, strict=True)) / total
    return mean, variance


@pytest.mark.parametrize(
    ("score", "difference"),
    [(0.5, 0), (10 / 11, 400), (1 / 11, -400), (1 / (1 + 10**0.5), -200), (100 / 101, 800)],
)
def test_the_logistic_curve(score: float, difference: float) -> None:
    """400 points are odds of ten to one, by definition."""
    assert elo_of_score(score) == pytest.approx(difference, abs=1e-9)
    assert score_of_elo(difference) == pytest.approx(score, abs=1e-12)


def test_the_ends_of_the_curve() -> None:
    assert elo_of_score(0) == -math.inf
    assert elo_of_score(1) == math.inf
    assert score_of_elo(math.inf) == 1
    assert score_of_elo(-math.inf) == 0
    assert math.copysign(1, elo_of_score(0.5)) == 1


def test_counting() -> None:
    found = Tally.of_pairs([(1, 1), (0, 1), (0.5, 0.5), (0, 0.5), (0, 0), (1, 0.5)], [1, 0])
    assert found == Tally(wins=5, draws=4, losses=5, pairs=(1, 1, 2, 1, 1))
    assert found.games == 14
    assert found.points == 7
    assert found.score == 0.5
    assert found.reversed().pairs == (1, 1, 2, 1, 1)
    assert found.reversed().reversed() == found
    assert Tally().score == 0.5
    assert found + Tally() == found
    assert found + found == Tally(10, 8, 10, (2, 2, 4, 2, 2))
    with pytest.raises(TypeError):
        _ = found + 1  # type: ignore[operator]


def test_elo_in_closed_form() -> None:
    """Half of the pairs even, a quarter ¼ and a quarter ¾: the variance is 1/32."""
    found = elo(tally(0, 250, 500, 250, 0))
    reach = NormalDist().inv_cdf(0.975) * math.sqrt(1 / 32 / 999)
    assert found.value == 0
    assert found.high == pytest.approx(elo_of_score(0.5 + reach))
    assert found.low == pytest.approx(-found.high)
    assert not found.exact


def test_elo_is_symmetrical() -> None:
    games = tally(1, 4, 9, 12, 3)
    one, other = elo(games), elo(games.reversed())
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))


def test_pairs_are_surer_than_games_when_openings_decide() -> None:
    """A win for each side in every pair but some: the games vary widely, the pairs do not."""
    in_pairs = Tally.of_pairs([(1, 0)] * 90 + [(1, 0.5)] * 10)
    as_games = Tally(in_pairs.wins, in_pairs.draws, in_pairs.losses)
    assert elo(in_pairs).value == pytest.approx(elo(as_games).value)
    assert elo(in_pairs).low > 0 > elo(as_games).low


def test_normalized_elo_in_closed_form() -> None:
    games = tally(0, 20, 50, 30, 0)
    variance = 0.2 * 0.275**2 + 0.5 * 0.025**2 + 0.3 * 0.225**2
    expected = 0.025 / math.sqrt(2 * variance) * 800 / math.log(10)
    assert normalized_elo(games).value == pytest.approx(expected)
    # The same by games, where a pair's spread is a game's by √2.
    single = Tally(30, 50, 20)
    spread = math.sqrt(0.3 * 0.45**2 + 0.5 * 0.05**2 + 0.2 * 0.55**2)
    expected = 0.05 / spread * 800 / math.log(10)
    assert normalized_elo(single).value == pytest.approx(expected)


@pytest.mark.parametrize("count", [1, 2, 10, 1000])
def test_only_wins(count: int) -> None:
    """The exact limit: so many wins in a row come up with 2.5 % at that share."""
    games = tally(0, 0, 0, 0, count)
    found = elo(games)
    assert (found.value, found.high, found.exact) == (math.inf, math.inf, True)
    assert score_of_elo(found.low) ** count == pytest.approx(0.025)
    assert superiority(games) == 1 - 0.5 ** (2 * count + 1)
    assert superiority(games.reversed()) == 0.5 ** (2 * count + 1)
    lost = elo(games.reversed())
    assert (lost.value, lost.low) == (-math.inf, -math.inf)
    assert lost.high == pytest.approx(-found.low)
    normalized = normalized_elo(games)
    assert (normalized.value, normalized.high) == (math.inf, math.inf)
    share = 0.025 ** (1 / count)
    least = (share - 0.5) / math.sqrt(share * (1 - share)) * 800 / math.log(10) / math.sqrt(2)
    assert normalized.low == pytest.approx(least)
    assert normalized_elo(games.reversed()).high == pytest.approx(-normalized.low)


def test_only_draws_are_not_certain() -> None:
    drawn = tally(0, 0, 100, 0, 0)
    found = elo(drawn)
    assert (found.value, found.exact) == (0, True)
    assert found.low < -5 < 5 < found.high
    assert found.low == pytest.approx(-found.high)
    assert superiority(drawn) == 0.5
    assert normalized_elo(drawn).high == math.inf


def test_nothing_played() -> None:
    for found in (elo(Tally()), normalized_elo(Tally())):
        assert (found.value, found.low, found.high) == (0, -math.inf, math.inf)
    assert superiority(Tally()) == 0.5
    assert sprt(Tally(), 0, 5).llr == 0


def test_one_pair_of_two_kinds() -> None:
    """Two pairs: Student's distribution has one degree of freedom, and the interval no end."""
    found = elo(tally(0, 0, 1, 1, 0))
    assert (found.low, found.high) == (-math.inf, math.inf)


def drawn(rng: random.Random, shares: list[float], count: int) -> Iterator[list[int]]:
    """The counts of pairs drawn with these probabilities, after each pair."""
    counts = [0] * 5
    for kind in rng.choices(range(5), shares, k=count):
        counts[kind] += 1
        yield counts


def draw(rng: random.Random, shares: list[float], count: int) -> Tally:
    """So many pairs drawn with these probabilities."""
    *_, counts = drawn(rng, shares, count)
    return tally(*counts)


@pytest.mark.parametrize(
    "shares",
    [[0.05, 0.2, 0.45, 0.22, 0.08], [0.01, 0.05, 0.2, 0.34, 0.4], [0.0, 0.02, 0.9, 0.08, 0.0]],
    ids=["balanced", "one-sided", "drawn"],
)
@pytest.mark.parametrize("pairs", [20, 200])
def test_intervals_hold_the_truth(shares: list[float], pairs: int) -> None:
    """95 % of them, but for what 500 trials vary, and but for the few pairs of drawish games."""
    rng = random.Random(1)
    mean, variance = moments(shares)
    truth = elo_of_score(mean)
    normalized_truth = (mean - 0.5) / math.sqrt(2 * variance) * 800 / math.log(10)
    held = normalized_held = 0
    trials = 500
    for _ in range(trials):
        games = draw(rng, shares, pairs)
        found, normalized = elo(games), normalized_elo(games)
        held += found.low <= truth <= found.high
        normalized_held += normalized.low <= normalized_truth <= normalized.high
    least = 0.87 if shares[2] == 0.9 and pairs == 20 else 0.93
    assert least < held / trials < 0.99
    assert least < normalized_held / trials <= 1.0


def test_superiority_by_hand() -> None:
    """After 2-0 as after two wins in a row: 1 - ½³."""
    assert superiority(Tally.of_pairs([(1, 1)])) == superiority(Tally(wins=2)) == 0.875
    assert superiority(Tally.of_pairs([(0, 0)])) == 0.125
    assert superiority(Tally(wins=1)) == superiority(Tally.of_pairs([(1, 0.5)])) == 0.75
    assert superiority(Tally.of_pairs([(1, 0)])) == superiority(Tally(draws=7)) == 0.5
    # Student's t is 1 and 3 with one degree of freedom.
    assert superiority(Tally.of_pairs([(1, 0.5), (1, 0)])) == pytest.approx(0.75)
    assert superiority(Tally.of_pairs([(1, 0.5), (1, 1)])) == pytest.approx(0.8976, abs=1e-4)
    # Nothing is surer than sure.
    assert superiority(Tally(202, 4, 0, (0, 0, 1, 2, 100))) == 1


def test_superiority_and_the_interval_agree() -> None:
    """The 95 % interval lies above 0 where superiority is above 97.5 %; and it mirrors."""
    rng = random.Random(4)
    seen = set()
    for count in (3, 12, 60, 400):
        for _ in range(100):
            games = draw(rng, [0.05, 0.1, 0.4, 0.3, 0.15], count)
            sure = superiority(games)
            assert superiority(games.reversed()) == pytest.approx(1 - sure)
            if max(games.pairs) < count:
                assert (elo(games).low > 0) == (sure > 0.975)
                seen.add(sure > 0.975)
    assert seen == {False, True}


def test_superiority_is_uniform_between_equals() -> None:
    rng = random.Random(2)
    found = [superiority(draw(rng, [0.1, 0.2, 0.4, 0.2, 0.1], 200)) for _ in range(1000)]
    for limit in (0.1, 0.5, 0.9):
        assert sum(value <= limit for value in found) / 1000 == pytest.approx(limit, abs=0.05)


def test_bounds() -> None:
    found = sprt(tally(1, 2, 3, 2, 1), 0, 5, alpha=0.05, beta=0.1)
    assert found.lower == pytest.approx(math.log(0.1 / 0.95))
    assert found.upper == pytest.approx(math.log(0.9 / 0.05))


@pytest.mark.parametrize("normalized", [False, True])
def test_the_ratio_by_its_approximation(normalized: bool) -> None:
    """Close to even and with many pairs it is N (s1 - s0) (2 s - s0 - s1) / 2 v."""
    games = tally(500, 2000, 5000, 2100, 520)
    count = sum(games.pairs)
    mean, variance = moments(games.pairs)
    if normalized:
        unit = math.sqrt(2 * variance) * math.log(10) / 800
        zero, one = 0.5, 0.5 + 5 * unit
    else:
        zero, one = score_of_elo(0), score_of_elo(5)
    expected = count * (one - zero) * (2 * mean - zero - one) / (2 * variance)
    found = sprt(games, 0, 5, normalized=normalized)
    assert found.llr == pytest.approx(expected, rel=0.02, abs=0.02)
    assert found.accepted is None


def test_the_ratio_changes_sign_with_the_sides() -> None:
    games = tally(3, 20, 60, 30, 5)
    there, back = sprt(games, 0, 10), sprt(games.reversed(), -10, 0)
    assert there.llr == pytest.approx(-back.llr)


@pytest.mark.parametrize("normalized", [False, True])
def test_only_wins_are_tested_soundly(normalized: bool) -> None:
    """The ratio is finite, grows with the games, and stays below that of certain wins."""
    won = [tally(0, 0, 0, 0, count) for count in (1, 5, 20, 100, 1000)]
    ratios = [sprt(games, 0, 10, normalized=normalized).llr for games in won]
    assert ratios == sorted(ratios)
    assert 0 < ratios[0] < 0.5
    assert math.isfinite(ratios[-1])
    if not normalized:
        # Every win is likelier by s1 / s0 under H1, and no sample says more.
        each = math.log(score_of_elo(10) / 0.5)
        assert ratios[-1] <= 1000 * each
        assert ratios[-1] == pytest.approx(1000 * each, rel=0.02)
    assert sprt(tally(0, 0, 0, 0, 1000), 0, 10, normalized=normalized).accepted == "H1"
    assert sprt(tally(1000, 0, 0, 0, 0), 0, 10, normalized=normalized).accepted == "H0"


@pytest.mark.parametrize(
    ("pairs", "elo1"),
    [
        ((490, 501, 7, 1, 1), 50),
        ((89, 53, 56, 1, 1), 100),
        ((9, 7, 0, 4, 0), 200),
        ((5, 5, 5, 5, 5), 300),
        ((18, 0, 0, 0, 0), 100),
    ],
)
def test_far_from_both_hypotheses(pairs: tuple[int, ...], elo1: float) -> None:
    assert sprt(tally(*pairs), 0, elo1, normalized=True).accepted == "H0"
    assert sprt(tally(*pairs[::-1]), -elo1, 0, normalized=True).accepted == "H1"


def test_draws_alone_speak_for_neither_side_of_a_symmetrical_test() -> None:
    assert sprt(tally(0, 0, 50, 0, 0), -5, 5).llr == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("truth", "shares"),
    [(0, [0.0836, 0.2177, 0.4, 0.2127, 0.086]), (60, [0.0459, 0.1538, 0.3716, 0.2697, 0.159])],
)
def test_error_rates(truth: int, shares: list[float]) -> None:
    """At most 5 % of wrong decisions, but for what 150 trials vary (three standard errors)."""
    rng = random.Random(4)
    assert elo_of_score(moments(shares)[0]) == pytest.approx(truth, abs=0.1)
    decisions = []
    for _ in range(150):  # each test is looked at after every pair
        looks = (sprt(tally(*counts), 0, 60).accepted for counts in drawn(rng, shares, 3000))
        decisions.append(next(filter(None, looks), None))
    wrong = decisions.count("H1" if truth == 0 else "H0")
    assert decisions.count(None) == 0
    assert 0 < wrong <= 150 * 0.05 + 3 * math.sqrt(150 * 0.05 * 0.95)


def test_what_is_said() -> None:
    said = "LLR 7.13 (-2.94, 2.94) [0, 5] Elo: H1 is accepted"
    assert str(sprt(tally(0, 0, 0, 0, 500), 0, 5)) == said
    assert "nElo: goes on" in str(sprt(tally(1, 0, 1, 0, 0), 0, 5, normalized=True))
    assert str(elo(tally(0, 0, 0, 0, 10))) == "+inf (95%: +140.2 to +inf)"
    assert "(99.9%: " in str(elo(tally(0, 0, 0, 0, 10), confidence=0.999))
