"""A player of riichi written from the document alone: makes a table unless there is one, joins, plays until the game is over.

Every message and field it uses cites the document's line that shows it, or the requirement or ruling that names it where
the document shows none. A name that is not in the tables cannot be sent or read.

Usage: riichi.py HOST PORT GAME_ID NAME [DOCUMENT]
An error event ends it: a client that is too late for the document's clocks gets one. With DOCUMENT, first checks that each cited line of it has the name. Prints one JSON line:
{"rounds": N, "answers": {ACTION: N}, "heard": {TYPE: N}}
"""
import asyncio
import json
import sys
import urllib.error
import urllib.request
import uuid
from collections import Counter

import msgpack
import websockets

R15 = "003/R15"

# What the client sends: the type with its line, then its fields.
SENT = {
    "join_game": (27, {"game_id": 27, "player_name": 27, "session_token": 27}),
    "game_action": (37, {"action": 37, "data": 37}),
    "chat": (42, {"text": 42}),
    "ping": (47, {}),
}
# The actions of a game_action, and what their data may have.
ACTIONS = {
    "discard": (37, {"tile": 37, "tile_id": R15}),
    "confirm_round": (87, {}),
    "riichi": (R15, {"tile_id": R15}),
    "tsumo": (R15, {}),
    "ron": (R15, {}),
    "pon": (R15, {"tile_ids": R15}),
    "chi": (R15, {"tile_ids": R15}),
    "kan": (R15, {"tile_id": R15}),
    "added_kan": (R15, {"tile_id": R15}),
    "open_kan": (R15, {}),
    "kyuushu": (R15, {}),
    "pass": (R15, {}),
}
# What the server sends: the type with its line, then the fields that are read, with the type of their values.
NUMBER, TEXT, FLAG, LIST, OBJECT = int, str, bool, list, dict
NO_NUMBER = (int, type(None))
HEARD = {
    "game_joined": (54, {"game_id": (54, TEXT), "players": (54, LIST), "session_token": (54, TEXT)}),
    "game_left": (59, {}),
    "player_joined": (64, {"player_name": (64, TEXT)}),
    "player_left": (65, {"player_name": (65, TEXT)}),
    "game_started": (70, {"players": (70, LIST)}),
    "round_started": (71, {"view": (71, OBJECT)}),
    # After a call nothing is drawn: 003/R15 leaves tile_id null there.
    "draw": (72, {"seat": (72, NUMBER), "tile_id": (72, NO_NUMBER), "available_actions": (72, LIST)}),
    "discard": (73, {"seat": (73, NUMBER), "tile_id": (73, NUMBER), "is_tsumogiri": (73, FLAG), "is_riichi": (73, FLAG)}),
    # A closed kan has nobody who fed it.
    "meld": (
        74,
        {
            "meld_type": (74, TEXT),
            "caller_seat": (74, NUMBER),
            "tile_ids": (74, LIST),
            "from_seat": (74, NO_NUMBER),
            "called_tile_id": (74, NO_NUMBER),
        },
    ),
    "dora_revealed": (75, {"tile_id": (75, NUMBER)}),
    "call_prompt": (
        76,
        {"call_type": (76, TEXT), "tile_id": (76, NUMBER), "from_seat": (76, NUMBER), "caller_seat": (76, NUMBER)},
    ),
    "round_end": (78, {"result": (78, OBJECT)}),
    "furiten": (79, {"is_furiten": (79, FLAG)}),
    "game_end": (80, {"result": (80, OBJECT)}),
    "chat": (92, {"player_name": (92, TEXT), "text": (92, TEXT)}),
    "pong": (97, {}),
    "session_error": (102, {"code": (102, TEXT), "message": (102, TEXT)}),
    "riichi_declared": ("003-5", {}),
    "error": (R15, {"code": (R15, TEXT), "message": (R15, TEXT)}),
}
# Fields within fields.
PARTS = {
    "players": {"seat": 70, "name": 70, "is_bot": 70},
    "view": {"seat": 71, "round_wind": 71},
    "available_actions": {"action": R15, "tiles": R15},
    "available_calls": {"call_type": 77, "options": 77},
}
# The document's texts for tiles begin with this one.
TILES = {"1m": 37}
MELD_TYPES = {"pon": 74, "chi": R15, "open_kan": R15, "closed_kan": R15, "added_kan": R15}
CALL_TYPES = {"ron": 76, "meld": 77, "chankan": R15}
PATHS = {"/health": 9, "/status": 10, "/games": 11, "/ws/": 17}
FIELDS_OF_GAMES = {"num_bots": 12, "game_id": 385}


def check_citations(path):
    """Every cited line of the document has the name that cites it."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    wrong = []

    def check(name, line):
        if isinstance(line, int) and name not in lines[line - 1]:
            wrong.append(f"{name}: not in line {line}: {lines[line - 1]}")

    for table in (SENT, ACTIONS):
        for kind, (line, fields) in table.items():
            check(kind, line)
            for field, at in fields.items():
                check(field, at)
    for kind, (line, fields) in HEARD.items():
        check(kind, line)
        for field, (at, _) in fields.items():
            check(field, at)
    for table in (*PARTS.values(), TILES, MELD_TYPES, CALL_TYPES, PATHS, FIELDS_OF_GAMES):
        for name, at in table.items():
            check(name, at)
    if wrong:
        raise SystemExit("\n".join(wrong))


def http(host, port, path, body=None):
    assert path in PATHS, path
    data = None if body is None else json.dumps(body).encode()
    assert body is None or set(body) <= set(FIELDS_OF_GAMES), body
    request = urllib.request.Request(f"http://{host}:{port}{path}", data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def part(value, of, name):
    """A field within a field, if it is cited."""
    assert name in PARTS[of], f"{of}.{name} is not in the document"
    return value.get(name)


def text_of(tile):
    """A tile as text; the red fives have names of their own, so they are named by number."""
    kind, suit = tile // 4, "mpsz"[min(tile // 36, 3)]
    return None if tile in (16, 52, 88) else f"{kind % 9 + 1 if suit != 'z' else kind - 26}{suit}"


class Player:
    def __init__(self, socket):
        self.socket = socket
        self.seat = None
        self.answers = Counter()
        self.heard = Counter()

    async def send(self, kind, **fields):
        assert set(fields) <= set(SENT[kind][1]), (kind, fields)
        await self.socket.send(msgpack.packb({"type": kind, **fields}))

    async def act(self, action, **data):
        assert set(data) <= set(ACTIONS[action][1]), (action, data)
        self.answers[action] += 1
        await self.send("game_action", action=action, data=data)

    async def receive(self):
        frame = await asyncio.wait_for(self.socket.recv(), 30)
        assert isinstance(frame, bytes), "frames are binary (line 21)"
        message = msgpack.unpackb(frame)
        kind = message["type"]
        assert kind in HEARD, f"{kind} is not in the document: {message}"
        for field, (_, expected) in HEARD[kind][1].items():
            right = field in message and isinstance(message[field], expected)
            assert right, f"{kind}.{field}: {message}"
        self.heard[kind] += 1
        return message

    async def react(self, message):
        kind = message["type"]
        if kind in ("session_error", "error"):
            raise SystemExit(f"{kind}: {message}")
        if kind == "round_started":
            self.seat = part(message["view"], "view", "seat")
            assert part(message["view"], "view", "round_wind") in ("East", "South", "West", "North")
        elif kind == "draw" and message["available_actions"]:
            assert message["seat"] == self.seat, message
            await self.turn(message)
        elif kind == "call_prompt":
            assert message["caller_seat"] == self.seat and message["call_type"] in CALL_TYPES, message
            await self.call(message)
        elif kind == "meld":
            assert message["meld_type"] in MELD_TYPES, message
        elif kind == "round_end":
            try:
                await self.act("confirm_round")
            except websockets.ConnectionClosedOK:
                # It was the last round: the server has closed the socket behind `game_end`, which is still to be read.
                pass

    async def turn(self, message):
        can = {
            part(each, "available_actions", "action"): part(each, "available_actions", "tiles")
            for each in message["available_actions"]
        }
        assert set(can) <= set(ACTIONS), can
        if "tsumo" in can:
            return await self.act("tsumo")
        for action in ("riichi", "added_kan", "kan"):
            if action in can:
                return await self.act(action, tile_id=can[action][0])
        if "kyuushu" in can:
            return await self.act("kyuushu")
        tiles, drawn = can["discard"], message["tile_id"]
        tile = drawn if drawn in tiles and self.answers["discard"] % 3 else max(tiles)
        # A text names a kind, of which the drawn tile may be meant: it is the same tile to everybody.
        text = text_of(tile)
        if text and self.answers["discard"] % 2:
            return await self.act("discard", tile=text)
        await self.act("discard", tile_id=tile)

    async def call(self, message):
        if message["call_type"] in ("ron", "chankan"):
            return await self.act("ron")
        calls = {
            part(each, "available_calls", "call_type"): part(each, "available_calls", "options")
            for each in message["available_calls"]
        }
        if sum(self.answers[name] for name in ("pon", "chi", "pass")) % 2:
            return await self.act("pass")
        if "open_kan" in calls:
            return await self.act("open_kan")
        if "pon" in calls:
            # Options are named only where red and plain tiles differ.
            options = calls["pon"]
            return await self.act("pon", **({"tile_ids": options[0]} if options else {}))
        await self.act("chi", tile_ids=calls["chi"][0])


async def play(host, port, game_id, name):
    http(host, port, "/health")
    try:
        http(host, port, "/games", {"game_id": game_id, "num_bots": 3})
    except urllib.error.HTTPError as error:
        # A table of that name may be there already.
        assert error.code == 409, error
    assert http(host, port, "/games") and http(host, port, "/status")
    async with websockets.connect(f"ws://{host}:{port}/ws/{game_id}") as socket:
        player = Player(socket)
        token = str(uuid.uuid4())
        await player.send("join_game", game_id=game_id, player_name=name, session_token=token)
        joined = await player.receive()
        assert (joined["type"], joined["session_token"], joined["game_id"]) == ("game_joined", token, game_id), joined
        started = await player.receive()
        seats = [part(each, "players", "seat") for each in started["players"]]
        people = [part(each, "players", "name") for each in started["players"] if not part(each, "players", "is_bot")]
        assert (started["type"], seats, people) == ("game_started", [0, 1, 2, 3], [name]), started
        await player.send("ping")
        await player.send("chat", text="Hello!")
        while True:
            message = await player.receive()
            if message["type"] == "game_end":
                break
            await player.react(message)
        assert player.heard["pong"] == 1 and player.heard["chat"] == 1, player.heard
        rounds = player.heard["round_end"]
        print(json.dumps({"rounds": rounds, "answers": player.answers, "heard": player.heard}))


if __name__ == "__main__":
    if len(sys.argv) > 5:
        check_citations(sys.argv[5])
    asyncio.run(play(*sys.argv[1:5]))
