"""Many watchers of one match: does each get every version in order, how late, and what does one cost.

    python -m benchmarks.api_watchers [--server URL] [--watchers N] [--moves M] [--pid PID]

Opens N streams (Server-Sent Events) of one duel, then plays M moves, each once everybody has the one before. The delay
is from the decision's own moment (``at``, the store's clock, on this machine) to its arrival at a watcher, so it
contains the commit and its fsync. With ``--pid`` (the api's worker process): resident memory before and with the
watchers.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import statistics
import time
from typing import Any
from urllib.parse import urlsplit

import httpx

from owntrumps.game.moments import millis_of


def resident_kib(pid: int) -> int:
    with open(f"/proc/{pid}/status", encoding="ascii") as file:  # noqa: PTH123 - the kernel's own file
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


class Watchers:
    """``delays`` in milliseconds, ``versions`` by watcher."""

    def __init__(self, server: str, match: str) -> None:
        parts = urlsplit(server)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._match = match
        self.delays: list[int] = []
        self.versions: list[list[int]] = []
        self.open = 0
        self._news = asyncio.Event()

    async def watch(self) -> None:
        """One watcher, until the server ends the stream or the task is cancelled."""
        seen: list[int] = []
        self.versions.append(seen)
        reader, writer = await asyncio.open_connection(self._host, self._port)
        try:
            request = f"GET /v1/matches/{self._match}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
            writer.write(request.encode())
            while line := await reader.readline():
                if line.startswith(b"retry:"):
                    self.open += 1
                elif line.startswith(b"data: "):
                    entry = json.loads(line[6:])
                    seen.append(entry["version"])
                    if entry["version"] > 2:
                        self.delays.append(time.time_ns() // 1_000_000 - millis_of(entry["at"]))
                self._news.set()
        finally:
            writer.close()

    async def until_all(self, number: int, version: int) -> None:
        while self.open < number or any(not seen or seen[-1] < version for seen in self.versions):
            self._news.clear()
            await self._news.wait()


async def play(http: httpx.AsyncClient, match: str, tokens: list[str], watchers: Watchers, moves: int) -> int:
    """So many random legal moves; the last version."""
    dice, version = random.Random(1), 2
    for _ in range(moves):
        await watchers.until_all(len(watchers.versions), version)
        for token in tokens:
            headers = {"Authorization": f"Bearer {token}"}
            view = (await http.get(f"/v1/matches/{match}", headers=headers)).json()
            if view["legal"]:
                play = dice.choice(view["legal"])
                body: dict[str, Any] = {"action": "take"} if play == "take" else {"action": "play", "cards": [play]}
                answer = await http.post(f"/v1/matches/{match}/moves", json=body, headers=headers)
                version = answer.raise_for_status().json()["version"]
                break
    return version


async def measure(options: argparse.Namespace) -> None:
    async with httpx.AsyncClient(base_url=options.server, timeout=60) as http:
        tokens = [(await http.post("/v1/players", json={"name": "p"})).json()["token"] for _ in range(2)]
        body = {"ruleset": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]}
        made = await http.post("/v1/matches", json=body, headers={"Authorization": f"Bearer {tokens[0]}"})
        match = made.raise_for_status().json()["id"]
        await http.post(f"/v1/matches/{match}/seats", json={}, headers={"Authorization": f"Bearer {tokens[1]}"})
        before = resident_kib(options.pid) if options.pid else 0
        watchers = Watchers(options.server, match)
        tasks = [asyncio.create_task(watchers.watch()) for _ in range(options.watchers)]
        await watchers.until_all(options.watchers, 2)
        opened = resident_kib(options.pid) if options.pid else 0
        last = await play(http, match, tokens, watchers, options.moves)
        await asyncio.wait_for(watchers.until_all(options.watchers, last), 60)
        with_all = resident_kib(options.pid) if options.pid else 0
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    complete = sum(seen == [*range(1, last + 1)] for seen in watchers.versions)
    cuts = statistics.quantiles(watchers.delays, n=100)
    print(f"{platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{complete} of {options.watchers} watchers got versions 1 to {last}, each once and in order")
    print(f"delay: p50 {cuts[49]:.0f} ms, p99 {cuts[98]:.0f} ms, max {max(watchers.delays)} ms")
    if options.pid:
        print(f"resident: {before} KiB before, {opened} KiB with the watchers, {with_all} KiB at the end")
        print(f"{(with_all - before) / options.watchers:.1f} KiB a watcher")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="http://127.0.0.1:8000")
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--moves", type=int, default=50)
    parser.add_argument("--pid", type=int, default=0)
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
