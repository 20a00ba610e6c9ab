"""Three ways to use a page: by keyboard alone, by touch events, and with a mouse. Each presses, writes and moves what a selector names."""

import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

MIDDLE = """
  const element = [...document.querySelectorAll(arguments[0])].find(e => e.checkVisibility({ visibilityProperty: true }) && !e.disabled);
  // What is on its way, such as the sheet that grows, is waited for.
  if (!element || document.getAnimations().some(({ effect }) => effect?.target?.contains(element))) return null;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const b = element.getBoundingClientRect(), at = [b.left + b.width / 2, b.top + b.height / 2], there = document.elementFromPoint(...at);
  return there && (element.contains(there) || there.contains(element)) ? at : null;
"""
# How many presses of Tab lead from the element that has the focus to the named one: negative ones go back.
WAY = """
  const target = [...document.querySelectorAll(arguments[0])].find(e => e.checkVisibility({ visibilityProperty: true }) && !e.disabled);
  if (!target) return null;
  const scope = document.querySelector('dialog[open]') ?? document.body;
  const stops = [...scope.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter(e => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true }));
  const from = stops.indexOf(document.activeElement), to = stops.indexOf(target);
  return to < 0 ? null : from < 0 ? to + 1 : to - from;
"""
# From the middle of a row of the queue to that of the row that stands below it. A heading may stand between them.
DOWN = """
  const row = document.querySelector(arguments[0]), below = row.parentElement.querySelector(`[aria-posinset="${Number(row.ariaPosInSet) + 1}"]`);
  return below && below.getBoundingClientRect().top - row.getBoundingClientRect().top;
"""
HAS_FOCUS = "return document.activeElement.matches(arguments[0])"


class Hand:
    # How often it has pressed.
    taps = 0

    def __init__(self, page):
        self.page = page

    def middle(self, selector):
        """Where to press: the element is there, in sight, and nothing lies on it."""
        return [round(part) for part in self.page.wait(f"{selector} to press", lambda: self.page.run(MIDDLE, selector))]

    def press(self, selector):
        self.taps += 1
        self.reach(selector)

    def tab(self, name):
        self.press(f"#tab-{name}")

    def search(self, text):
        """The field has the focus where the search begins."""
        self.tab("search")
        self.type("#find", text)

    def step(self, slider):
        """A slider is turned up from its lower half."""
        self.press(slider)

    def down(self, row):
        """How far it is from a row to the next one."""
        return self.page.wait(f"a row below {row}", lambda: self.page.run(DOWN, row))

    def write(self, selector, text):
        self.press(selector)
        self.type(selector, text)

    def type(self, selector, text):
        """Into what has the focus by now."""
        self.page.wait(f"{selector} to write in", lambda: self.page.run(HAS_FOCUS, selector))
        ActionChains(self.page.driver, duration=0).send_keys(text).perform()

    def begin(self):
        """What the browser is told of the device."""

    def end(self):
        """The browser is as before."""


class Mouse(Hand):
    def reach(self, selector):
        x, y = self.middle(selector)
        actions = ActionChains(self.page.driver, duration=0)
        actions.w3c_actions.pointer_action.move_to_location(x, y)
        actions.click().perform()

    def move_down(self, row):
        """A row of the queue goes below the next one."""
        self.page.drag(self.page.find(f"{row} .grip"), 0, self.down(row) * 1.1)


class Touch(Hand):
    def begin(self):
        self.page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def end(self):
        self.page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})

    def touch(self, kind, *points, ago_s=0):
        """`ago_s`: how long ago it happened, as the browser is told. It judges by that how fast a finger was."""
        self.page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points], "timestamp": time.time() - ago_s})

    def reach(self, selector):
        at = self.middle(selector)
        self.touch("touchStart", at)
        self.touch("touchEnd")

    def move_down(self, row):
        x, y = self.middle(f"{row} .grip")
        down = self.down(row) * 1.1
        self.touch("touchStart", (x, y), ago_s=1)
        # The finger comes to rest before it is lifted: a list that still flew would take the next tap to stop.
        for step in range(1, 9):
            self.touch("touchMove", (x, y + down * step / 8), ago_s=1 - step / 20)
        self.touch("touchMove", (x, y + down))
        self.touch("touchEnd")


class Keyboard(Hand):
    def keys(self, *keys):
        ActionChains(self.page.driver, duration=0).send_keys(*keys).perform()

    def focus(self, selector):
        """By Tab alone, from wherever the focus is."""
        def arrives():
            if self.page.run(HAS_FOCUS, selector):
                return True
            way = self.page.run(WAY, selector)
            if way is None:
                return False
            actions = ActionChains(self.page.driver, duration=0)
            if way < 0:
                actions.key_down(Keys.SHIFT).send_keys(*[Keys.TAB] * -way).key_up(Keys.SHIFT)
            else:
                actions.send_keys(*[Keys.TAB] * way)
            actions.perform()
            return self.page.run(HAS_FOCUS, selector)
        self.page.wait(f"the focus on {selector}", arrives)

    def press(self, selector):
        self.focus(selector)
        self.keys(Keys.ENTER)

    def write(self, selector, text):
        self.focus(selector)
        self.keys(text)

    def tab(self, name):
        """By the number of the tab."""
        tabs = self.page.run("document.activeElement.blur(); return [...document.querySelectorAll('#tabs [role=tab]')].filter(e => e.checkVisibility()).map(e => e.id)")
        key = str(tabs.index(f"tab-{name}") + 1)
        self.keys(key)

    def step(self, slider):
        self.focus(slider)
        self.keys(Keys.ARROW_RIGHT)

    def search(self, text):
        self.page.run("document.activeElement.blur()")
        self.keys("/")
        self.page.wait("the field of the search", lambda: self.page.run(HAS_FOCUS, "#find"))
        self.keys(text)

    def move_down(self, row):
        self.focus(f"{row} .row")
        ActionChains(self.page.driver, duration=0).key_down(Keys.ALT).send_keys(Keys.ARROW_DOWN).key_up(Keys.ALT).perform()
