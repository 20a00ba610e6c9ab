"""What a job wrote down of its tests: how many passed, and which failed, were skipped, or are not possible on this machine."""

import dataclasses
import json


@dataclasses.dataclass
class Counts:
    passed: int = 0
    failed: list = dataclasses.field(default_factory=list)
    # Pairs of a test and the reason.
    skipped: list = dataclasses.field(default_factory=list)
    impossible: list = dataclasses.field(default_factory=list)
    # Sentences that say why a test failed.
    said: list = dataclasses.field(default_factory=list)

    @property
    def total(self):
        return self.passed + len(self.failed) + len(self.skipped) + len(self.impossible)


def of_suite(path):
    """The report of a suite in Python (EndToEndTests/Support/suite.py); `None` if it wrote none."""
    try:
        with open(path, encoding="utf-8") as file:
            told = json.load(file)
        return Counts(
            int(told["passed"]), list(told["failed"]), [tuple(pair) for pair in told["skipped"]], [tuple(pair) for pair in told["impossible"]])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def of_swift(path):
    """The event stream of the test library, one JSON object a line; the last line may be cut if the process died."""
    counts, functions, left_out = Counts(), {}, set()
    for event in events(path):
        payload = event.get("payload", {})
        if event.get("kind") == "test" and payload.get("kind") == "function":
            functions[payload["id"]] = payload.get("displayName") or payload.get("name", payload["id"])
        test, signs = payload.get("testID"), {message["symbol"]: message["text"] for message in payload.get("messages", ())}
        if "fail" in signs and payload.get("kind") == "issueRecorded":
            counts.said.append(signs["fail"])
        if test not in functions:
            continue
        name = f"{test.split('/')[0]}: {functions[test]}"
        # A test that was skipped, and one that cancelled itself half way, carry the same sign.
        if "skip" in signs and signs["skip"].startswith("Test "):
            if test not in left_out:
                left_out.add(test)
                counts.skipped.append((name, signs["skip"]))
        elif payload.get("kind") == "testEnded" and test not in left_out:
            if "fail" in signs:
                counts.failed.append(name)
            else:
                counts.passed += 1
    return counts


def events(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    yield json.loads(line)
                except ValueError:
                    continue
    except OSError:
        return
