"""Reads what callgrind has written of one process: which functions there are, what each costs itself, and what its calls cost.

The cost of a function with all that it calls is exact where a figure is held to a bar: it is the sum of what its callers paid for it.
Below one function it is shared out: one that is called from several places costs in each of them by its part of all calls to it."""
import collections, re, subprocess

# How often the shares are handed on, which is more than the deepest stack has functions.
ROUNDS = 60
NAME = re.compile(r"\((\d+)\)(?: (.+))?")


class Profile:
    def __init__(self, paths):
        # By function: instructions of its own. By caller and called function: instructions of the calls, and how many there were.
        self.own, self.calls, self.counts = collections.Counter(), collections.Counter(), collections.Counter()
        for path in paths:
            with open(path, encoding="utf-8", errors="replace") as file:
                self.read(file)

    def read(self, lines):
        # Each file has numbers of its own; a number is followed by its name where it comes first.
        names, now, called, count = {}, "", "", None

        def named(text):
            number, name = NAME.fullmatch(text).groups()
            return names.setdefault(number, name or f"({number})")

        for line in lines:
            line = line.strip()
            if line.startswith("fn="):
                now = named(line[3:])
            elif line.startswith("cfn="):
                called = named(line[4:])
            elif line.startswith("calls="):
                count = int(line[6:].split()[0])
            elif line and line[0] in "0123456789+-*":
                cost = int(line.split()[1])
                if count is None:
                    self.own[now] += cost
                else:
                    self.calls[now, called] += cost
                    self.counts[now, called] += count
                    count = None

    def inclusive(self, pattern):
        """-> instructions of the functions of this name, with all that they call, as their callers paid for them

        A function and the entry by which a protocol reaches it are one in the sources and may be two here, of which one calls the
        other, so the largest counts."""
        paid = collections.Counter()
        for (_, called), cost in self.calls.items():
            if re.search(pattern, called):
                paid[called] += cost
        return max(paid.values(), default=0)

    def below(self, pattern):
        """-> {function: (instructions with its calls, its own)} within the functions of this name"""
        whole = collections.Counter(self.own)
        for (caller, _), cost in self.calls.items():
            whole[caller] += cost
        roots = {name for name in whole if re.search(pattern, name)}
        # A root that another root calls is reached from there.
        roots -= {called for caller, called in self.calls if caller in roots}
        share = {name: 1.0 for name in roots}
        for _ in range(ROUNDS):
            new = dict.fromkeys(roots, 1.0)
            for (caller, called), cost in self.calls.items():
                if caller in share and called not in roots and whole[called]:
                    new[called] = min(1.0, new.get(called, 0) + share[caller] * cost / whole[called])
            share = new
        return {name: (whole[name] * part, self.own[name] * part) for name, part in share.items()}


def demangled(names):
    """-> {name: as people read it}; where there is no Swift toolchain the names stay as they are"""
    try:
        said = subprocess.run(["swift", "demangle", "-simplified", "-compact"], input="\n".join(names), stdout=subprocess.PIPE, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return {name: name for name in names}
    return dict(zip(names, said.splitlines()))
