"""Which jobs run beside each other, and in which order they begin.

Two cores are kept busy by two busy jobs. Those that wait or record need little of a core but at once, and a browser that is late
shows faults that people do not have, so the busy ones give way to them (`nice`). Only what measures has the machine to itself.
"""

import asyncio
import dataclasses


@dataclasses.dataclass(frozen=True)
class Lane:
    """So many jobs at a time. Lanes of one turn run beside each other, and the next turn begins when all of them are done."""

    name: str
    width: int
    turn: int
    nice: int = 0


LANES = (
    Lane("busy", 2, turn=1, nice=10),
    Lane("waits", 3, turn=1),
    # Suites that record what is heard and keep time with the clock on the wall, without a browser and with one. A browser beside
    # busy jobs is too late for its sound, even if they give way.
    Lane("records", 3, turn=2),
    Lane("browser", 1, turn=2),
    Lane("alone", 1, turn=3),
)

# Those that take longest begin first, so that the end is not one of them alone. The order changes no result.
LONGEST = (
    "BatonHubTests", "page_library.py", "EndToEndTests", "http_worker.py", "memory.py", "PlayerTests", "page_radio.py", "DiscoveryTests",
    "LibraryStoreTests", "StoresTests", "hanging.py", "remotes.py", "page_network.py", "peers.py", "sleeping.py", "in_step.py", "page_listen.py")


def in_order(jobs):
    place = {name: number for number, name in enumerate(LONGEST)}
    return sorted(jobs, key=lambda job: place.get(job.name, len(LONGEST)))


async def side_by_side(jobs, width, run):
    """Runs so many at a time, in this order."""
    waiting = iter(jobs)

    async def work():
        for job in waiting:
            await run(job)
    async with asyncio.TaskGroup() as group:
        for _ in range(width):
            group.create_task(work())


async def run_all(jobs, run):
    """Calls `run(job, nice)` for each job, in its lane."""
    jobs = in_order(jobs)
    for turn in sorted({lane.turn for lane in LANES}):
        async with asyncio.TaskGroup() as group:
            for lane in LANES:
                if lane.turn == turn:
                    own = [job for job in jobs if job.lane == lane.name]
                    group.create_task(side_by_side(own, lane.width, lambda job, nice=lane.nice: run(job, nice)))
