#!/usr/bin/env python3
"""Writes answers.txt: what Apache Otava says of a few series. Needs the network once:

    python3 -m venv /tmp/otava && /tmp/otava/bin/pip install apache-otava==0.8.0
    /tmp/otava/bin/python make.py > answers.txt

Four lines a series: its name, its figures, Otava's distance of every cut that leaves three figures on either side
against all that comes after it, and the cuts of its `compute_change_points_orig` (Matteson and James, permutations)
at the level 0.02. Otava lets a cut leave a single figure on a side, which is why these series have no lone outliers.
"""

import numpy as np
from otava.analysis import compute_change_points_orig
from otava.change_point_divisive.calculator import PairDistanceCalculator


def stepped(random, steps):
    """Figures around the level of each step, a pair of level and length."""
    return np.concatenate([random.normal(level, 1.0, length) for level, length in steps]).round(4)


def main():
    random = np.random.default_rng(20)
    series = {
        "noise": stepped(random, [(100, 30)]),
        "a fall": stepped(random, [(100, 15), (94, 15)]),
        "a rise near the end": stepped(random, [(100, 24), (108, 6)]),
        "a stair": stepped(random, [(100, 14), (106, 14), (112, 14)]),
        "there and back": stepped(random, [(100, 16), (91, 12), (100, 16)]),
        "heavier tails": (100 + random.standard_t(5, 30)).round(4),
    }
    print("# Apache Otava 0.8.0, by make.py")
    for name, figures in series.items():
        distances = PairDistanceCalculator(figures)._get_Q_vals(0, len(figures))[:, -1][2:-2]
        cuts, _ = compute_change_points_orig(figures, max_pvalue=0.02, seed=1)
        print(name)
        print(*figures)
        print(*(f"{distance:.9g}" for distance in distances))
        print(*(cut.index for cut in cuts))


main()
