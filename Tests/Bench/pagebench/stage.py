"""A hub that plays a track with a cover, and a browser whose processor can be slowed."""
import contextlib, subprocess, time

from Support.browser import Browser
from Support.hubs import Home, Hub
from PageLibrary.page_queue import tone

SHAPES = {"phone": (360, 640), "desktop": (1280, 800)}
SLOW = 4


class Stage:
    def __init__(self, stack, *flags):
        self.home = Home()
        stack.callback(self.home.close)
        tone(f"{self.home.music}/song.wav", "A song of four minutes", 240)
        cover = ["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=s=900x900", "-frames:v", "1", f"{self.home.music}/cover.jpg"]
        subprocess.run(cover, check=True)
        self.hub = Hub(self.home, "--audio", "null")
        stack.callback(self.hub.kill)
        self.address = self.hub.page + "/"
        self.page = Browser(flags=flags)
        stack.callback(self.page.close)
        self.home.baton("scan", "--wait")
        self.home.baton("queue", "add", f"{self.home.music}/song.wav")
        self.home.baton("mode", "repeat-one")

    def shape(self, name):
        self.page.size(*SHAPES[name])

    def visit(self, address=None):
        self.page.open(address or self.address)
        self.page.wait("the page is live", self.page.is_live, 30)

    def away(self):
        self.page.open("about:blank")
        time.sleep(.5)

    def command(self, verb, **how):
        return self.page.driver.execute_cdp_cmd(verb, how)

    @contextlib.contextmanager
    def slowed(self, times=SLOW):
        self.command("Emulation.setCPUThrottlingRate", rate=times)
        try:
            yield
        finally:
            self.command("Emulation.setCPUThrottlingRate", rate=1)


@contextlib.contextmanager
def set_up(*flags):
    with contextlib.ExitStack() as stack:
        yield Stage(stack, *flags)
