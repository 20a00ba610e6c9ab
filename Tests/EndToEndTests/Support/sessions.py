"""What suites about sessions of clips share: a hub, and its session as the terminal shows it."""

import json

from Support.hubs import HubCase, wait


class Sessions(HubCase):
    def session(self):
        return json.loads(self.home.baton("clips", "show", "--json"))["sessions"][0]

    def mixed(self, scene, count):
        """The length of a scene's loop in seconds, once all of its clips are in it."""
        def is_mixed():
            session = self.session()
            clips = [clip for clip in session["clips"] if clip["scene"] == scene]
            return [clip.get("heard") for clip in clips] == [1] * count
        wait(f"the loop of scene {scene}", is_mixed)
        return self.session()["scenes"][scene - 1]["dur"] / 1000
