"""Plays random rounds of ours again with RiichiEnv and compares winners and scores.

    python riichienv_rounds.py ROUNDS.jsonl      prints each difference and a summary; exit code 1 if a difference is not known

Each player does what the line says was done, and passes otherwise. README.md lists the known differences.
"""
import json
import sys
from collections import Counter

from riichienv import GameRule, HandEvaluator, RiichiEnv

DISCARD, CHI, PON, DAIMINKAN, RON, RIICHI, TSUMO, PASS, ANKAN, KAKAN, NINE = range(11)
CALLS = {"chi": CHI, "pon": PON, "daiminkan": DAIMINKAN}
OWN_KANS = {"ankan": ANKAN, "kakan": KAKAN}


def rule_of(settings):
    """The engine's switches for settings of ours."""
    rule = GameRule.default_tenhou()
    rule.allows_ron_on_ankan_for_kokushi_musou = settings["kokushi_robs_closed_kan"]
    rule.is_kokushi_musou_13machi_double = settings["double_kokushi_thirteen"]
    rule.is_suuankou_tanki_double = settings["double_suuankou_tanki"]
    rule.is_junsei_chuurenpoutou_double = settings["double_junsei_chuuren"]
    rule.is_daisuushii_double = settings["double_daisuushii"]
    rule.yakuman_pao_is_liability_only = settings["pao_only_own_yakuman"]
    rule.sanchaho_is_draw = settings["multi_ron"] == "double"
    rule.kuikae_forbidden = settings["kuikae_forbidden"]
    return rule


def wall_of(wall):
    """The engine's order: its dead wall has the draws after kans last, and indicators in turn before them."""
    tiles = wall["live"] + [None] * 14
    for n, tile in enumerate(wall["rinshan"]):
        tiles[135 - n] = tile
    for n, (dora, ura) in enumerate(zip(wall["dora"], wall["ura"])):
        tiles[131 - 2 * n], tiles[130 - 2 * n] = dora, ura
    return tiles


class Differs(Exception):
    """What is different, and the environment at the end of the round if it came so far."""

    def __init__(self, what, env=None):
        super().__init__(what)
        self.env = env


class Replay:
    def __init__(self, line):
        self.line, self.deeds, self.at = line, line["deeds"], 0
        self.declared = False
        self.env = RiichiEnv(game_mode="4p-red-single", rule=rule_of(line["all_settings"]))
        asked = self.env.reset(
            oya=line["dealer"],
            wall=wall_of(line["wall"]),
            round_wind=line["kyoku"] // 4,
            scores=line["scores"],
            honba=line["honba"],
            kyotaku=line["sticks"],
        )
        for _ in range(1000):
            if self.env.done() or not asked:
                break
            asked = self.env.step(self.answers(asked))
        else:
            raise Differs("it does not end")

    def deed(self):
        return self.deeds[self.at] if self.at < len(self.deeds) else {"do": "nothing", "seat": None}

    def answers(self, asked):
        legal = {pid: {} for pid in asked}
        for pid, observation in asked.items():
            for action in observation.legal_actions():
                legal[pid].setdefault(action.to_dict()["type"], []).append(action)
        if any(PASS in actions for actions in legal.values()):
            return self.responses(legal)
        [(pid, actions)] = legal.items()
        return {pid: self.turn(pid, actions)}

    def responses(self, legal):
        deed = self.deed()
        if deed["do"] == "ron":
            seats = [each["seat"] for each in self.deeds[self.at :] if each["do"] == "ron"]
            missing = [seat for seat in seats if RON not in legal.get(seat, {})]
            if missing:
                raise Differs(f"ron is not offered to {missing}")
            self.at += len(seats)
            return {pid: actions[RON if pid in seats else PASS][0] for pid, actions in legal.items()}
        answers = {pid: actions[PASS][0] for pid, actions in legal.items()}
        if deed["do"] in CALLS and deed["seat"] in legal:
            own = sorted(tile for tile in deed["tiles"] if tile != deed["tile"])
            found = [a for a in legal[deed["seat"]].get(CALLS[deed["do"]], []) if same_look(a.consume_tiles, own)]
            if not found:
                raise Differs(f"{deed} is not offered")
            answers[deed["seat"]] = found[0]
            self.at += 1
        return answers

    def turn(self, pid, actions):
        deed = self.deed()
        if deed["seat"] != pid:
            raise Differs(f"seat {pid} is asked where ours is {deed}")
        if deed["do"] == "riichi" and not self.declared:
            self.declared = True
            if RIICHI not in actions:
                raise Differs(f"riichi is not offered: {deed}")
            return actions[RIICHI][0]
        self.at += 1
        self.declared = False
        if deed["do"] in ("discard", "riichi"):
            return self.find(actions, DISCARD, lambda a: a["tile"] == deed["tile"], deed)
        if deed["do"] in OWN_KANS:
            kind = deed["tiles"][0] // 4
            return self.find(actions, OWN_KANS[deed["do"]], lambda a: a["tile"] // 4 == kind, deed)
        wanted = {"tsumo": TSUMO, "nine": NINE}.get(deed["do"])
        return self.find(actions, wanted, lambda _: True, deed)

    def find(self, actions, kind, fits, deed):
        for action in actions.get(kind, []):
            if fits(action.to_dict()):
                return action
        raise Differs(f"{deed} is not offered")

    def outcome(self):
        """Who won, and the scores after the round, from the engine's own log."""
        scores, winners, draw = list(self.line["scores"]), [], None
        for event in self.env.mjai_log:
            if event["type"] == "reach_accepted":
                scores[event["actor"]] -= 1000
            if event["type"] in ("hora", "ryukyoku"):
                deltas = event.get("deltas") or [0, 0, 0, 0]
                scores = [score + delta for score, delta in zip(scores, deltas)]
                if event["type"] == "hora":
                    winners.append(event["actor"])
                else:
                    draw = event.get("reason", "draw")
        return winners, scores, draw


def same_look(tiles, wanted):
    """Copies of a tile are one choice; a red five is another."""
    look = lambda tile: (tile // 4, tile in (16, 52, 88))
    return sorted(map(look, tiles)) == sorted(map(look, wanted))


def is_swap(line, difference, _):
    """The discard after a chi or pon that takes the called kind or the other end of the run."""
    if line["all_settings"]["kuikae_forbidden"] or not difference.endswith("is not offered"):
        return False
    pairs = zip(line["deeds"], line["deeds"][1:])
    return any(str(deed) in difference and call["do"] in ("chi", "pon") and swaps(call, deed) for call, deed in pairs)


def swaps(call, deed):
    if deed["do"] != "discard" or deed["seat"] != call["seat"]:
        return False
    called, thrown = call["tile"] // 4, deed["tile"] // 4
    own = sorted(tile // 4 for tile in call["tiles"] if tile != call["tile"])
    other_end = call["do"] == "chi" and thrown in (own[0] - 1, own[1] + 1) and thrown // 9 == called // 9
    return thrown == called or other_end


def waits_for_own(line, _, env):
    """A seat that is not tenpai for us waits only for tiles of which its hand and melds hold all four."""
    if line["result"].get("draw") != "exhaustive" or env is None:
        return False

    def is_so(seat):
        melds = env.melds[seat]
        held = Counter(tile // 4 for tile in [*env.hands[seat], *(tile for meld in melds for tile in meld.tiles)])
        waits = HandEvaluator(env.hands[seat], melds).get_waits()
        return bool(waits) and all(held[kind] == 4 for kind in waits)

    return any(is_so(seat) for seat in range(4) if seat not in line["result"]["shown"])


# Differences that are judged: README.md says by what.
KNOWN = {
    "a swap is not offered where it is allowed": is_swap,
    "tenpai on tiles that are all in the own melds": waits_for_own,
}


def compare(line):
    replay = Replay(line)
    winners, scores, draw = replay.outcome()
    ours = [win["who"] for win in line["result"].get("wins", [])]
    if sorted(winners) != sorted(ours):
        raise Differs(f"winners {winners} ({draw}), ours {ours}")
    if scores != line["end_scores"]:
        raise Differs(f"scores {scores}, ours {line['end_scores']}", replay.env)


def main(path):
    counts = Counter()
    unknown = 0
    with open(path, encoding="utf-8") as file:
        for text in file:
            line = json.loads(text)
            counts["rounds"] += 1
            counts["wins"] += len(line["result"].get("wins", []))
            counts[f"draw {line['result']['draw']}" if "draw" in line["result"] else "won"] += 1
            try:
                compare(line)
                counts["same"] += 1
            except Differs as difference:
                name = next((name for name, known in KNOWN.items() if known(line, str(difference), difference.env)), None)
                if name:
                    counts[f"known: {name}"] += 1
                    continue
                unknown += 1
                print(json.dumps({"id": line["id"], "what": str(difference), "settings": line["settings"], "ours": line["result"]}))
    print(json.dumps({**counts, "unknown": unknown}))
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
