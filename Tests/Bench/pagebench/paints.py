"""What a load of the page takes and brings: first paint, live, bytes on the wire, bytes that are not used, and what moves."""
import json, re, statistics, urllib.parse, urllib.request

from pagebench import stage
from Support.hubs import Hub
from Page.page_layout import GO, SETTLE, WATCH

PAINTS, LOADS = 9, 3
PANELS = ("home", "library", "queue", "rooms", "settings", "playing")
# What is loaded later, when there is time, has come by then.
REST = "await new Promise(requestIdleCallback); await new Promise(done => setTimeout(done, 2000))"
TIMES = """return [performance.getEntriesByName('first-contentful-paint')[0]?.startTime, performance.getEntriesByName('live')[0]?.startTime]"""


def loaded(set_stage, address):
    """-> ms until the first paint and until the page is live"""
    set_stage.visit(address)
    return set_stage.page.wait("its times", lambda: (lambda times: all(times) and times)(set_stage.page.run(TIMES)))


# ---------------------------------------------------------------- paints
def cold():
    """A browser that was never there."""
    with stage.set_up() as it, it.slowed():
        it.shape("phone")
        times = []
        for _ in range(PAINTS):
            it.page.forget(it.hub.page)
            it.away()
            times.append(loaded(it, it.address))
    return {"paint": statistics.median(a for a, _ in times), "after": statistics.median(b - a for a, b in times), "each": times}


def warm():
    """The page is kept by the browser, with its last state: in a tab that stands open, and in one whose process is new. Without the
    back-forward cache a page that was left gives its process to the next one; with it, each visit begins another process."""
    with stage.set_up("--disable-features=BackForwardCache") as it, it.slowed():
        it.shape("phone")
        here = again(it, it.address)
        floor = [bare(it) for _ in range(PAINTS)]
    with stage.set_up() as it:
        it.shape("phone")
        with it.slowed():
            new = again(it, it.address)
        there = again(it, paired(it))
    return {"paint": statistics.median(here), "new": statistics.median(new), "tls": statistics.median(there),
            "floor": statistics.median(floor), "each": [here, new, there, floor]}


def bare(it):
    """-> ms until the first paint of a line of text, which is what the browser itself takes on this machine"""
    it.away()
    it.page.open(it.address + "healthz")
    return it.page.wait("its paint", lambda: it.page.run(TIMES)[0])


def again(it, address):
    it.visit(address)
    paints = []
    for number in range(PAINTS + 2):
        it.away()
        paint, _ = loaded(it, address)
        # The first two fill the caches.
        if number >= 2:
            paints.append(paint)
    return paints


def paired(it):
    """Lets the browser in by the code, past the warning."""
    address = re.search(r"network (https://\S+)/", Hub.text(it.hub.said))[1] + "/"
    pin = json.loads(it.home.baton("pair", "--open", "--json"))["pin"]
    it.page.past_warning(address)
    it.page.find("[name=pin]").send_keys(pin)
    it.page.find("button").click()
    it.page.wait("the page is live", it.page.is_live)
    return address


# ---------------------------------------------------------------- bytes
def first_load():
    """Bytes of a first load with their heads, by kind, until nothing more comes."""
    with stage.set_up() as it:
        it.shape("phone")
        it.page.forget(it.hub.page)
        it.page.driver.get_log("performance")
        it.visit()
        it.page.run_async(REST)
        kinds, sizes = {}, {}
        for entry in it.page.driver.get_log("performance"):
            event = json.loads(entry["message"])["message"]
            number, kind = event["params"].get("requestId"), event["method"]
            if kind == "Network.responseReceived":
                kinds[number] = event["params"]["type"]
            elif kind == "Network.loadingFinished" and number in kinds:
                sizes[number] = event["params"]["encodedDataLength"]
        found = {}
        for number, size in sizes.items():
            found[kinds[number]] = found.get(kinds[number], 0) + size
    pictures = found.pop("Image", 0)
    return {"text": sum(found.values()) / 1000, "pictures": pictures / 1000, "kinds": found, "requests": len(sizes)}


class Coverage:
    """What of scripts and styles was used since the navigation."""
    def __init__(self, it):
        self.it = it
        for verb in ("Profiler.enable", "DOM.enable", "CSS.enable", "CSS.startRuleUsageTracking"):
            it.command(verb)
        it.command("Profiler.startPreciseCoverage", callCount=False, detailed=True)

    def take(self):
        """-> {address: (bytes used, bytes)}"""
        found = {}
        for script in self.it.command("Profiler.takePreciseCoverage")["result"]:
            if script["url"].startswith(self.it.hub.page):
                used = bytearray(self.length(script["url"]))
                # The inner ranges come behind those around them.
                for span in (span for function in script["functions"] for span in function["ranges"]):
                    start, end = span["startOffset"], min(span["endOffset"], len(used))
                    used[start:end] = (b"\1" if span["count"] else b"\0") * (end - start)
                found[script["url"]] = (sum(used), len(used))
        rules = self.it.command("CSS.stopRuleUsageTracking")["ruleUsage"]
        for url in self.it.page.run("return [...document.styleSheets].map(sheet => sheet.href).filter(Boolean)"):
            length = self.length(url)
            found[url] = (0, length)
        sheets = {rule["styleSheetId"] for rule in rules}
        for sheet in sheets:
            text = self.it.command("CSS.getStyleSheetText", styleSheetId=sheet)["text"]
            url = next((url for url in found if url.endswith(".css") and found[url][1] == len(text)), None)
            if url:
                used = bytearray(len(text))
                for rule in (rule for rule in rules if rule["styleSheetId"] == sheet and rule["used"]):
                    start, end = int(rule["startOffset"]), int(rule["endOffset"])
                    used[start:end] = b"\1" * (end - start)
                found[url] = (sum(used), len(text))
        return found

    @staticmethod
    def length(url):
        with urllib.request.urlopen(url, timeout=10) as answer:
            return len(answer.read().decode())


def unused():
    """Per cent of the scripts and styles of a first load that were not used once the page is live, plays and rests, and the worst of
    them; and the same of all that was loaded, when each place of the page was shown."""
    whole, worst = share(())
    return {"percent": whole, "worst": worst, "walk": share(PANELS)[0]}


def share(places):
    with stage.set_up() as it:
        it.shape("phone")
        it.page.forget(it.hub.page)
        coverage = Coverage(it)
        it.home.baton("play")
        it.visit()
        it.page.wait("it plays", it.page.is_playing)
        for place in places:
            it.page.run("location.hash = '#/' + arguments[0]", place)
            it.page.run_async(REST)
        it.page.run_async(REST)
        found = coverage.take()
    used, whole = (sum(one[place] for one in found.values()) for place in (0, 1))
    worst = sorted(found.items(), key=lambda one: one[1][0] - one[1][1])[:8]
    return 100 * (whole - used) / whole, {urllib.parse.urlparse(url).path.split("/")[-1]: [b - a, b] for url, (a, b) in worst}


# ---------------------------------------------------------------- what moves
def moves():
    """The sum of layout shifts of a first load, and the largest of the places of the page."""
    with stage.set_up() as it, it.slowed():
        it.shape("phone")
        it.home.baton("play")
        sums = []
        for number in range(LOADS):
            it.page.forget(it.hub.page)
            if not number:
                it.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
            it.visit()
            sums.append(sum(shift["value"] for shift in it.page.run_async(SETTLE)))
        places = {}
        for panel in PANELS:
            it.page.run_async(GO, panel)
            places[panel] = sum(shift["value"] for shift in it.page.run_async(SETTLE))
    return {"load": max(sums), "places": max(places.values()), "each": [sums, places]}
