#!/usr/bin/env python3
"""PokerKit on the same work: random 6-max no-limit hands and replay of PHH files, per CPU second.

usage: pokerkit_hands.py [FOLDER of .phh files]        (pip install pokerkit==0.7.7)
"""
import random, sys, time, warnings
from pathlib import Path
from pokerkit import Automation, HandHistory, NoLimitTexasHoldem

warnings.simplefilter('ignore')
AUTOMATIONS = tuple(a for a in Automation)


def hand(rng):
    state = NoLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (50, 100), 100, 10_000, 6)
    while state.status:
        kind = rng.randrange(4)
        if kind == 0 and state.can_fold():
            state.fold()
        elif kind == 2 and state.can_complete_bet_or_raise_to():
            state.complete_bet_or_raise_to()
        elif kind == 3 and state.can_complete_bet_or_raise_to():
            state.complete_bet_or_raise_to(state.max_completion_betting_or_raising_to_amount)
        else:
            state.check_or_call()


def rate(name, work, seconds=5):
    start, count = time.process_time(), 0
    while time.process_time() - start < seconds:
        count += work()
    print(f'{name:<32}{count / (time.process_time() - start):>12.0f} per CPU second')


rng = random.Random(1)
rate('PokerKit, random hands', lambda: [hand(rng) for _ in range(20)] and 20)
if len(sys.argv) > 1:
    paths = sorted(Path(sys.argv[1]).glob('*.phh'))

    def replay():
        for path in paths:
            with open(path, 'rb') as file:
                for _ in HandHistory.load(file):
                    pass
        return len(paths)

    rate('PokerKit, replay from text', replay)
