"""What is said of the results: a line for each case as it ends, the sum, and the HTML report, which is one page
without a script and has of every case what was wrong and the end of its trace."""

import html
import json

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1c1c1c; background: #fff }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top }
.pass { color: #12692e } .fail { color: #b00020; font-weight: 600 } code, pre { font: 13px/1.4 ui-monospace, monospace } pre { overflow-x: auto; background: #f5f5f5; padding: .6rem }
@media (prefers-color-scheme: dark) { body { background: #161616; color: #eee } pre { background: #242424 } td, th { border-color: #444 } .pass { color: #7fd69a } .fail { color: #ff8a9b } }
"""


def tell(result):
    """One case, as it has ended."""
    verdict = "FAIL" if result["wrong"] else "pass"
    print(f"{verdict} {result['id']:34} {result['seconds']:5.1f} s  {' '.join(result['ids'])}", flush=True)
    for sentence in result["wrong"][:8]:
        print(f"     {sentence}")


def tell_sum(results, of=""):
    """Whether everything has passed, and something has."""
    passed = sum(not result["wrong"] for result in results)
    print(f"{passed} of {len(results)} cases passed{of}")
    return passed == len(results) > 0


def write(path, results, hub):
    failed = [result for result in results if result["wrong"]]
    rows = "\n".join(row(result) for result in results)
    details = "\n".join(detail(result) for result in failed)
    page = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Companion protocol: {len(results) - len(failed)} of {len(results)} passed</title><style>{STYLE}</style>
<h1>{len(results) - len(failed)} of {len(results)} cases passed</h1>
<p>Hub: <code>{html.escape(hub)}</code></p>
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
    """rule -> whether every case that shows it passed."""
    verdicts = {}
    for result in results:
        for rule in result["ids"]:
            verdicts[rule] = verdicts.get(rule, True) and not result["wrong"]
    return verdicts


def rules_table(results):
    cells = "".join(
        f"<tr><td><code>{html.escape(rule)}</code></td><td>{'<span class=pass>kept</span>' if is_kept else '<span class=fail>broken</span>'}</td>"
        f"<td>{', '.join(html.escape(r['id']) for r in results if rule in r['ids'])}</td></tr>" for rule, is_kept in sorted(by_rule(results).items()))
    return f"<h2>Rules</h2><table><thead><tr><th>Rule</th><th>Verdict</th><th>Cases</th></tr></thead><tbody>{cells}</tbody></table>"


def row(result):
    verdict = "<span class=fail>failed</span>" if result["wrong"] else "<span class=pass>passed</span>"
    return (f"<tr id=\"{result['id']}\"><td>{html.escape(result['id'])}</td><td>{html.escape(result['title'])}</td>"
            f"<td><code>{html.escape(' '.join(result['ids']))}</code></td><td>{result['seconds']:.1f}</td><td>{verdict}</td></tr>")


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
    return "\n".join(f"{line['us'] % 10**9 / 1000:12.1f} ms  {line.get('conn', ''):3} {line.get('verb', line['kind']):7} "
                     f"{line.get('text', line.get('sentence', line.get('code', '')))}"[:400] for line in lines)
