"""Which scenarios happen at once: all, where each has a hub of its own; with one hub for all, those that neither change it nor see what others do."""

import concurrent.futures
import contextlib
import queue

from runner import needs
from runner.cases import case, longest_wait
from runner.lent import Lent, Shared

# So many hubs are lent from one scenario to the next.
LENT = 2
# A scenario is brief that waits no longer, in ms, and takes no more steps.
BRIEF, FEW = 300, 60


def run(scenarios, make_hub, folder, jobs, one=None, shares=False):
    """The results, as they come. The longest scenarios begin first, so that the end of the run does not wait for one of them. With `shares` those that
    neither change a hub nor see what others do have one together, and brief ones that need nothing of their own follow each other on one that is
    brought back to its beginning, where each has one of its own otherwise."""
    scenarios = sorted(scenarios, key=length, reverse=True)
    beside = [scenario for scenario in scenarios if one is None or is_beside(scenario, one)]
    alone = [scenario for scenario in scenarios if scenario not in beside]
    if shares and not one:
        plain = [scenario for scenario in scenarios if not scenario.get("hub") and not needs.needs(scenario)]
        together = [scenario for scenario in plain if is_harmless(scenario)]
        brief = [scenario for scenario in plain if scenario not in together and is_brief(scenario)]
        with Shared(make_hub({"hub": {}})) as shared, contextlib.ExitStack() as stack:
            hubs = {scenario["id"]: shared for scenario in together}
            groups = [[scenario] for scenario in scenarios if scenario not in brief]
            for place in range(LENT):
                lent = stack.enter_context(Lent(make_hub))
                hubs |= {scenario["id"]: lent for scenario in brief[place::LENT]}
                groups.append(brief[place::LENT])
            yield from several(groups, lambda scenario: hubs.get(scenario["id"]) or make_hub(scenario), folder, jobs, spare=make_hub)
    elif one and sees_people(one):
        # There is a section with who is there, which changes by every visit.
        calm = [scenario for scenario in alone if not needs.sees_visits(scenario)]
        yield from several([[scenario] for scenario in beside] + [calm], make_hub, folder, jobs, one)
        yield from several([[scenario for scenario in alone if scenario not in calm]], make_hub, folder, 1, one)
    else:
        yield from several([[scenario] for scenario in beside] + [alone], make_hub, folder, jobs, one)


def several(groups, make_hub, folder, jobs, one=None, spare=None):
    """Groups side by side, and the scenarios of a group one after the other. What fails in a group is tried once more on a hub of its own, from `spare`."""
    done = queue.Queue()

    def walk(group):
        try:
            for scenario in group:
                over = one and (one.gone or one.stops)
                result = case({**scenario, "unasked": over} if over else scenario, make_hub, folder)
                if spare and len(group) > 1 and result["wrong"]:
                    result = case(scenario, spare, folder)
                if one and result["wrong"] and not one.gone:
                    one.look()
                done.put(result)
        finally:
            done.put(None)
    groups = [group for group in groups if group]
    # The longest group has a thread of its own from the beginning.
    groups.sort(key=len, reverse=True)
    left = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            for group in groups:
                left += 1
                pool.submit(walk, group)
            while left:
                result = done.get()
                left -= result is None
                if result is not None:
                    yield result
        finally:
            if one and left:
                # Somebody has stopped the check: what has begun ends, and the hub is put back after that.
                one.stops = "the check was stopped"
                drained(done, left)
            pool.shutdown(cancel_futures=True)


def drained(done, left):
    """Waits until so many groups have ended, or for a minute where one has never begun."""
    try:
        while left:
            left -= done.get(timeout=60) is None
    except queue.Empty:
        pass


def length(scenario):
    """How long a scenario takes, in ms and by a guess: its longest wait, and a moment for each step."""
    return longest_wait(scenario) + 8 * sum(times for _, times in needs.counted(scenario["steps"]))


def is_beside(scenario, one):
    """Whether it can happen at any time in a hub that others use."""
    return one.is_local and is_harmless(scenario)


def is_harmless(scenario):
    """Whether it neither changes a hub, nor sees what others do, nor uses up what belongs to all."""
    return not needs.changes(scenario) and not needs.is_touchy(scenario) and not needs.pairs(scenario) and not needs.posts(scenario)


def is_brief(scenario):
    """Whether it takes a moment, on any hub of Core that is at rest, with nothing in its queue."""
    return (scenario["level"] == "core" and not needs.pairs(scenario) and not needs.posts(scenario) and needs.longest(scenario["steps"]) <= BRIEF
            and sum(times for _, times in needs.counted(scenario["steps"])) <= FEW)


def sees_people(one):
    return any(feature.startswith(("people@", "listening@")) for feature in one.welcome.get("features", []))
