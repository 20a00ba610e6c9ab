# deploy/test: tier 2, judges Sources/Web Tests/EndToEndTests/Pictures.
# deploy/test: slow, for the pictures depend on the fonts of the machine.
"""The page beside the pictures of it that were accepted: what has changed is counted and shown.

The accepted pictures are in Pictures; README begins with four of them. Where the page looks different on purpose, they are replaced by
`deploy/suite page_pixels --accept`. A picture that differs is left in .build/screenshots as it is now, and with every
pixel that differs in red (`pixels-NAME-changed.png`). Texts depend on the fonts of the machine, so this runs with BATON_SLOW=1 only.
"""

import base64
import os
import subprocess
import sys

from Support.hubs import IS_SLOW, ROOT, main
from Support.suite import chosen_if

try:
    from Support.browser import SCREENSHOTS
    from Support.screens import SCREENS, ScreenCase
except ImportError:
    print("page_pixels.py: skipped, for there is no selenium here")
    sys.exit(77)

FOLDER = os.path.join(ROOT, "Tests/EndToEndTests/Pictures")
IS_ACCEPTING = "--accept" in sys.argv
PICTURES = [
    *(("watch", "playing"), ("round", "playing")),
    *(("phone", name) for name in ("home", "library", "album", "search", "playing", "queue", "lyrics")),
    *(("desktop", name) for name in ("home", "albums", "artist")),
]
# Smoothing of glyphs and curves may differ by so much in a channel of a pixel, and so many pixels in a thousand may differ by more.
MOST_CHANNEL, MOST_PER_MILLE = 40, 1
# Compares two pictures in the browser. Gives how many pixels in a thousand differ, and a picture of where.
COMPARE = """
  const [accepted, now, most] = words, load = async text => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }), pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    return { canvas, pen, data: pen.getImageData(0, 0, image.width, image.height) };
  };
  const [one, other] = [await load(accepted), await load(now)];
  if (one.data.width !== other.data.width || one.data.height !== other.data.height) return { perMille: 1000, picture: now };
  let count = 0;
  const { data } = other.data;
  for (let at = 0; at < data.length; at += 4) {
    const differs = [0, 1, 2].some(part => Math.abs(data[at + part] - one.data.data[at + part]) > most);
    if (differs) { count++; data.set([255, 0, 0, 255], at) } else for (let part = 0; part < 3; part++) data[at + part] = data[at + part] / 3 + 150;
  }
  other.pen.putImageData(other.data, 0, 0);
  return { perMille: count * 4000 / data.length, picture: other.canvas.toDataURL('image/png').split(',')[1] };
"""


class Pictures(ScreenCase):
    def setUp(self):
        super().setUp()
        # Music that stands still: what a picture shows must not depend on when it is taken.
        self.command("play", entry=self.rows()[0]["entry"], posMs=8000)
        self.command("pause")

    @chosen_if(IS_SLOW or IS_ACCEPTING)
    def test_pictures(self):
        """Each picture is the accepted one."""
        shots = {}
        for shape, name in PICTURES:
            self.page.prefer(prefers_color_scheme="dark", prefers_reduced_motion="reduce")
            self.take_shape(shape)
            self.reach(next(screen for screen in SCREENS if screen.name == name))
            self.page.wait("all pictures", lambda: self.page.run("return [...document.images].every(image => image.complete) && document.getElementById('elapsed').textContent === '0:08'"))
            self.page.run_async("await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame)")
            shots[f"{shape}-{name}"] = self.page.driver.get_screenshot_as_base64()
        self.page.open("about:blank")
        found = [self.accept(name, shot) if IS_ACCEPTING else self.compare(name, shot) for name, shot in shots.items()]
        self.assertEqual([one for one in found if one], [])

    @staticmethod
    def accept(name, shot):
        path = os.path.join(FOLDER, f"{name}.png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot))
        # 256 colours keep the files small, and differ from the screen by less than what is compared.
        smaller = "import sys; from PIL import Image; p = sys.argv[1]; Image.open(p).convert('RGB').quantize(256).save(p, optimize=True)"
        subprocess.run([os.path.join(ROOT, ".build/venv/bin/python"), "-c", smaller, path], check=True)

    def compare(self, name, shot):
        """A sentence if the picture differs."""
        with open(os.path.join(FOLDER, f"{name}.png"), "rb") as file:
            accepted = base64.b64encode(file.read()).decode()
        found = self.page.run_async(COMPARE, accepted, shot, MOST_CHANNEL)
        if "error" in found:
            return f"{name}: {found['error']}"
        if found["perMille"] <= MOST_PER_MILLE:
            return None
        for ending, picture in (("", shot), ("-changed", found["picture"])):
            with open(os.path.join(SCREENSHOTS, f"pixels-{name}{ending}.png"), "wb") as file:
                file.write(base64.b64decode(picture))
        return f"{name}: {found['perMille']:.1f} pixels in a thousand differ, see .build/screenshots/pixels-{name}-changed.png"


if __name__ == "__main__":
    sys.argv = [word for word in sys.argv if word != "--accept"]
    main("chromium", "chromedriver")
