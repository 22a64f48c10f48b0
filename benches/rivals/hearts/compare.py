#!/usr/bin/env python3
"""Hearts playouts: Parlor's script and its ruleset against OpenSpiel's C++ (pyspiel.evaluate_bots), in one run.

Needs `pip install open_spiel` in the Python that runs this (a virtual environment outside the repository will do).
Prints the figures per CPU second and their ratios, or UNCOMPARED where OpenSpiel is not to be had. They are measured in
turn, several times, and the best of each counts: a noisy machine is noisy for all. The script must be faster than
OpenSpiel; for the ruleset that is the aim.
"""

import os
import pathlib
import subprocess
import sys
import time

ROUNDS = 4
SECONDS = 4.0
ROOT = pathlib.Path(__file__).resolve().parents[3]


def parlor(package: str, bench: str) -> float:
    """Parlor's own figure: deals with passing and 52 plays, random moves."""
    command = ["cargo", "bench", "-q", "-p", package, "--bench", bench, "--", "playouts"]
    out = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return float(out.stdout.split()[-1])


def script() -> float:
    return parlor("parlor-hearts", "hearts")


def ruleset() -> float:
    return parlor("parlor-ruleset", "rulesets")


def open_spiel(pyspiel) -> float:
    """The same in OpenSpiel: one whole deal by uniform random bots, the loop in C++."""
    game = pyspiel.load_game("hearts")
    bots = [pyspiel.make_uniform_random_bot(seat, 1234 + seat) for seat in range(4)]
    deals, seed, started = 0, 1, time.process_time()
    while time.process_time() - started < SECONDS:
        for _ in range(500):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
            seed += 1
        deals += 500
    return deals / (time.process_time() - started)


def main() -> int:
    try:
        import pyspiel
    except ImportError:
        print(f"hearts: script {script():.0f}, ruleset {ruleset():.0f} playouts per CPU second; OpenSpiel UNCOMPARED (pip install open_spiel)")
        return 0
    ours, rules, theirs = 0.0, 0.0, 0.0
    for _ in range(ROUNDS):
        ours = max(ours, script())
        rules = max(rules, ruleset())
        theirs = max(theirs, open_spiel(pyspiel))
    word = "ok" if ours > theirs else "MISSED"
    print(f"hearts: script {ours:.0f}, OpenSpiel {theirs:.0f} playouts per CPU second; ratio {ours / theirs:.2f}: {word}")
    print(f"hearts: ruleset {rules:.0f}, OpenSpiel {theirs:.0f} playouts per CPU second; ratio {rules / theirs:.2f}")
    return 0 if ours > theirs else 1


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
