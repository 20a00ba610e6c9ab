"""What is said of the results: a line for each case as it ends, the sum, and the HTML report, which is one page
without a script and has of every case what was wrong and the end of its trace."""

import collections
import html
import json
import sys
import time
import xml.etree.ElementTree as xml

from runner import judged, pages, rules

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1c1c1c; background: #fff }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top }
.pass { color: #12692e } .fail { color: #b00020; font-weight: 600 } .skip { color: #6b5900 } code, pre { font: 13px/1.4 ui-monospace, monospace } pre { overflow-x: auto; background: #f5f5f5; padding: .6rem }
@media (prefers-color-scheme: dark) { body { background: #161616; color: #eee } pre { background: #242424 } td, th { border-color: #444 } .pass { color: #7fd69a } .skip { color: #d8c25a } .fail { color: #ff8a9b } }
"""


def verdict(result):
    return "FAIL" if result["wrong"] else "skip" if result.get("skipped") else "diff" if result.get("allowed") else "pass"


def tell(result):
    """One case, as it has ended; of one that failed also what the rules say."""
    print(f"{verdict(result)} {result['id']:34} {result['seconds']:5.1f} s  {' '.join(result['ids'])}", flush=True)
    for sentence in result["wrong"][:8] or filter(None, [result.get("skipped"), result.get("allowed")]):
        print(f"     {sentence}")
    broken = blamed(result)
    for rule in broken[:3]:
        print(f"     {rule}: {cut(pages.words()[rule].lstrip('- '))}" + (f" ({pages.places()[rule]})" if "this table" in pages.words()[rule] else ""))
    if result["wrong"] and not broken:
        print(f"     to be shown was: {result['title']}")


def blamed(result):
    """The rules that a case has shown to be broken: of each rule that always holds and did not here, and its own where a step of it failed."""
    found = []
    for sentence in result["wrong"]:
        always, judges = sentence.partition(", connection ")[0], sentence.partition(": ")[0]
        found += rules.ids().get(always) or (judged.ids()[judges] if judges in judged.ids() else result["ids"])
    return [rule for rule in dict.fromkeys(found) if rule in pages.words()]


def cut(text, most=300):
    return text if len(text) <= most else text[:most].rpartition(" ")[0] + " …"


class Progress:
    """Results as they come: a line for each, and on a screen how far it is."""

    def __init__(self, total, asked):
        self.total, self.quiet, self.shows_trace = total, asked.quiet, asked.trace
        self.done = self.failed = 0
        self.began, self.is_screen = time.monotonic(), sys.stderr.isatty()

    def tell(self, result):
        self.done, self.failed = self.done + 1, self.failed + bool(result["wrong"])
        self.end()
        if result["wrong"] or not self.quiet:
            tell(result)
        if self.shows_trace and not result.get("skipped"):
            print(tail(result["trace"], 1 << 20))
        if self.is_screen:
            print(f"{self.done} of {self.total}, {self.failed} failed, {time.monotonic() - self.began:.0f} s", end="", flush=True, file=sys.stderr)

    def end(self):
        if self.is_screen:
            print("\r\033[K", end="", flush=True, file=sys.stderr)


SKIPPED, DIFFER = ("was skipped", "were skipped"), ("differs as it may", "differ as they may")


def some(count, one, more):
    """A number with its verb."""
    return f"{count} {one if count == 1 else more}"


def tell_sum(results, of=""):
    """Whether no case has failed, and something has passed."""
    count = collections.Counter(map(verdict, results))
    more = "".join(f", {some(count[name], *words)}" for name, words in (("skip", SKIPPED), ("diff", DIFFER)) if count[name])
    print(f"{count['pass']} of {len(results)} cases passed{of}{more}")
    return count["FAIL"] == 0 < count["pass"]


def tell_rules(results):
    verdicts = by_rule(results)
    broken = sorted(rule for rule, is_kept in verdicts.items() if not is_kept)
    print(f"{len(verdicts) - len(broken)} of {len(verdicts)} rules kept" + (f"; broken: {' '.join(broken)}" if broken else ""))
    unjudged = sorted({rule for result in results for rule in result["ids"]} - set(verdicts))
    if unjudged:
        print(f"not judged, since all their scenarios were skipped: {' '.join(unjudged)}")


def write(path, results, hub):
    failed, count = [result for result in results if result["wrong"]], collections.Counter(map(verdict, results))
    rows = "\n".join(row(result) for result in results)
    details = "\n".join(detail(result) for result in failed)
    page = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Baton: {count['pass']} of {len(results)} passed</title><style>{STYLE}</style>
<h1>{count['pass']} of {len(results)} cases passed</h1>
<p>{count['FAIL']} failed, {some(count['skip'], *SKIPPED)}, {some(count['diff'], *DIFFER)}. Judged: <code>{html.escape(hub)}</code></p>
{details}
<table><thead><tr><th>Case</th><th>Shows</th><th>Rules</th><th>Seconds</th><th>Verdict</th></tr></thead><tbody>
{rows}
</tbody></table>
{rules_table(results)}
</html>
"""
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)


def by_rule(results):
    """rule -> whether no case has shown it to be broken."""
    judged_of = [result for result in results if verdict(result) not in ("skip", "diff")]
    broken = {rule for result in judged_of for rule in blamed(result)}
    return {rule: rule not in broken for rule in [*(rule for result in judged_of for rule in result["ids"]), *sorted(broken)]}


def rules_table(results):
    cells = "".join(
        f"<tr><td><code>{html.escape(rule)}</code></td><td>{'<span class=pass>kept</span>' if is_kept else '<span class=fail>broken</span>'}</td>"
        f"<td>{', '.join(html.escape(r['id']) for r in results if rule in r['ids'])}</td></tr>" for rule, is_kept in sorted(by_rule(results).items()))
    return f"<h2>Rules</h2><table><thead><tr><th>Rule</th><th>Verdict</th><th>Cases</th></tr></thead><tbody>{cells}</tbody></table>"


def row(result):
    words, name = {"FAIL": ("failed", "fail"), "pass": ("passed", "pass"), "skip": ("skipped", "skip"), "diff": ("differs as it may", "skip")}[verdict(result)]
    reason = "".join(f"<br>{html.escape(text)}" for text in (result.get("skipped"), result.get("allowed")) if text)
    return (f"<tr id=\"{result['id']}\"><td>{html.escape(result['id'])}</td><td>{html.escape(result['title'])}</td>"
            f"<td><code>{html.escape(' '.join(result['ids']))}</code></td><td>{result['seconds']:.1f}</td><td><span class={name}>{words}</span>{reason}</td></tr>")


def detail(result):
    sentences = "".join(f"<li>{html.escape(sentence)}" for sentence in result["wrong"])
    return f"<h2 class=fail>{html.escape(result['id'])}</h2><p>{html.escape(result['title'])}</p><ul>{sentences}</ul><pre>{html.escape(tail(result['trace']))}</pre>"


def tail(path, count=25):
    """The last lines of a trace, as people read them."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file][-count:]
    except (OSError, ValueError):
        return "(there is no trace)"
    return "\n".join(f"{line['us'] % 10**9 / 1000:12.1f} ms  {line.get('conn', line.get('line', ''))!s:3} {deed(line):15} "
                     f"{line.get('text', line.get('sentence', line.get('code', '')))}"[:400] for line in lines)


def deed(line):
    """What a line of a trace tells of: of one of the proxy's who said it, and whether it passed."""
    return line.get("verb") or line.get("kind") or f"{line['side']} {line['fate']}"


def write_junit(path, results, hub):
    """The same as JUnit XML, which systems for continuous integration read."""
    count = collections.Counter(map(verdict, results))
    suite = xml.Element("testsuite", name=hub, tests=str(len(results)), failures=str(count["FAIL"]), skipped=str(count["skip"] + count["diff"]), errors="0",
                        time=f"{sum(result['seconds'] for result in results):.3f}")
    for result in results:
        one = xml.SubElement(suite, "testcase", classname="baton", name=result["id"], time=f"{result['seconds']:.3f}")
        if result["wrong"]:
            xml.SubElement(one, "failure", message=clean(result["wrong"][0])).text = clean("\n".join(result["wrong"]))
        elif reason := result.get("skipped") or result.get("allowed"):
            xml.SubElement(one, "skipped", message=clean(reason))
        xml.SubElement(one, "system-out").text = clean(f"{result['title']}. Rules: {' '.join(result['ids'])}")
    xml.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def clean(text):
    """The text without what XML cannot hold."""
    return "".join(char for char in text if char in "\t\n" or " " <= char < "\ud800" or "\ue000" <= char)
