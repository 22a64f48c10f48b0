"""A player written from the pages alone: joins a table, answers every request with legal picks, stops when it is over.

Usage: player.py HOST PORT GAME_ID NAME
Prints one JSON line: {"answers": N, "text": RESULT}
"""
import asyncio
import json
import sys

import msgpack
import websockets


def picks(request):
    choices = [c for c in request["choices"] if "whyNot" not in c and not c.get("extra")]
    if request.get("count") is not None:
        number = request["count"]
    elif "min" in request:
        number = request["min"]
    elif "max" in request:
        number = 0
    else:
        number = 1
    return [pick(c) for c in choices[:number]]


def pick(choice):
    if "choices" in choice:
        return {"title": choice["title"], "selection": picks(choice)}
    if "id" in choice:
        return {"title": choice["title"], "id": choice["id"]}
    return choice["title"]


async def play(host, port, game_id, name):
    answers = 0
    async with websockets.connect(f"ws://{host}:{port}/ws/{game_id}") as socket:
        say = lambda message: socket.send(msgpack.packb(message))
        await say({"type": "join_game", "game_id": game_id, "player_name": name})
        async for frame in socket:
            message = msgpack.unpackb(frame)
            if message["type"] == "session_error":
                raise SystemExit(f"session_error: {message}")
            if message["type"] == "refused":
                raise SystemExit(f"refused: {message}")
            if message.get("over"):
                print(json.dumps({"answers": answers, "text": message["over"]["text"]}))
                return
            for request in message.get("requests") or []:
                if request["kind"] == "request":
                    data = {"title": request["title"], "selection": picks(request)}
                    await say({"type": "game_action", "action": "answer", "data": data})
                    answers += 1
    raise SystemExit("closed before the end")


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:5]))
