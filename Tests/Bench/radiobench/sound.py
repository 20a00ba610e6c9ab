"""How soon a station is heard: `play` to the first PCM byte beside libmpv on the same address, for a server on this machine or away."""
import statistics

import servers
from radiobench import stations

STARTS = 9


def first_sound(target, ms):
    """The median of some starts each, in turns. libmpv is initialised, and the hub has been up for a second."""
    ours, theirs = [], []
    with stations.on_air() as icecast, servers.away(icecast.port, ms) as port:
        url = f"http://127.0.0.1:{port}/{stations.HARBOUR}"
        for _ in range(STARTS):
            with stations.tuned(target, "audio") as (server, tuner):
                uri = tuner.add(url)[0]
                ours.append(servers.first_pcm(server, "radio.play", {"uri": uri}))
            theirs.append(servers.alone(url))
    return {"ours": statistics.median(ours), "reference": statistics.median(theirs), "each": [ours, theirs]}
