"""What a scenario asks of what stands around the hub: pages, servers, files that were written, and streams. outside.py answers."""

from runner.failing import Fails, show
from runner.pattern import matches


class Surroundings:
    """Verbs of a `Play`."""

    def web(self, step, path):
        """Another page stands at this path from now on."""
        self.world.do("web", path, path_of=step["web"], page=step["becomes"])

    def asked_for(self, step, path):
        """How often, and how, this path was asked for at `$web`, or with `at` at `$other`."""
        self.looked(step, path, "asked", path_of=step["asked"], at=step.get("at", "web"))

    def server(self, step, path):
        """A word to a server of the adapter, and what it answers."""
        self.looked(step, path, "server", name=step["server"], asked={name: step[name] for name in step if name not in ("server", "is", "again", "save")})

    def written(self, step, path):
        """A text in what the hub has written down."""
        self.looked(step, path, "written", text=step["written"])

    def recorded(self, step, path):
        """The sound in the hub's recordings."""
        self.looked(step, path, "recorded")

    def spoil(self, step, path):
        """The copies on the hub's disk are changed."""
        self.world.do("spoil", path)

    def stream(self, step, path):
        """Begins to hear an endless answer, under a name."""
        self.world.do("stream", path, name=step["stream"], path_of=step["path"], headers=step.get("headers", []), channel=step.get("channel", self.through))

    def heard(self, step, path):
        """What has come of it until now."""
        self.looked(step, path, "heard", name=step["heard"])

    def looked(self, step, path, verb, **what):
        """Looks once, or with `again` until it is so or so many ms are over."""
        while True:
            seen = self.world.do(verb, path, **what)["seen"]
            if matches(step.get("is", {"~any": 1}), seen):
                return self.save(step, seen)
            if self.world.entries[-1]["us"] > self.step_us + step.get("again", 0) * 1000 * self.scenario.get("patience", 1):
                raise Fails(f"it is {show(seen)}, not {show(step['is'])}")
            self.world.do("wait", path, ms=100)
