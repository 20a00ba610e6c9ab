"""KDE Connect on desktops of tests: it finds other desktops on its network, is paired with them, and steers their players."""

import glob
import os
import subprocess

import dbus

from Dialects.Support.desktop import PROPERTIES, Bus
from Support.hubs import wait

SERVICE, ROOT = "org.kde.kdeconnect", "/modules/kdeconnect"


class KDEConnect:
    """Its daemon on the session bus of a home, asked as its own windows ask it."""

    def __init__(self, home, name):
        os.mkdir(f"{home.folder}/config/kdeconnect")
        with open(f"{home.folder}/config/kdeconnect/config", "w") as file:
            file.write(f"[General]\nname={name}\n")
        # It calls to all on its network, and a cable without a router has no way for that.
        subprocess.run(["/usr/sbin/ip", "route", "replace", "255.255.255.255", "dev", "cable"], check=True)
        home.environment["QT_QPA_PLATFORM"] = "offscreen"
        self.bus = Bus(home)
        self.connection = self.bus.connect()
        self.process = home.start(glob.glob("/usr/lib/*/libexec/kdeconnectd")[0], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait("KDE Connect listens", lambda: self.others() is not None)
        except AssertionError:
            self.end()
            raise

    def end(self):
        self.process.kill()
        self.process.wait()
        self.bus.end()

    def ask(self, path, interface):
        return dbus.Interface(self.connection.get_object(SERVICE, ROOT + path, introspect=False), interface)

    def others(self):
        """The desktops that it has found; `None` before it listens."""
        try:
            return [str(number) for number in self.ask("", f"{SERVICE}.daemon").devices(True, False)]
        except dbus.DBusException:
            return None

    def pair(self, other):
        """Asks the other one, whose person accepts: -> its players."""
        number, own = wait("they find each other", self.others)[0], wait("they find each other", other.others)[0]
        there, here = (side.ask(f"/devices/{name}", f"{SERVICE}.device") for side, name in ((self, number), (other, own)))
        there.requestPair()
        wait("the wish", here.hasPairingRequests)
        here.acceptPairing()
        wait("the players are offered", lambda: here.hasPlugin("kdeconnect_mpriscontrol"))
        wait("the players are looked for", lambda: there.hasPlugin("kdeconnect_mprisremote"))
        return Players(self, f"/devices/{number}/mprisremote")


class Players:
    """The players of another desktop, of which one is chosen."""

    def __init__(self, connect, path):
        self.interface = f"{SERVICE}.device.mprisremote"
        self.properties, self.calls = connect.ask(path, PROPERTIES), connect.ask(path, self.interface)

    def __getitem__(self, name):
        return self.properties.Get(self.interface, name)

    def __setitem__(self, name, value):
        self.properties.Set(self.interface, name, value, signature="ssv")

    def press(self, action):
        self.calls.sendAction(action)

    def show(self, **facts):
        """Waits until they are so."""
        shown = {}

        def holds():
            shown.update((name, self[name]) for name in facts)
            return shown == facts
        try:
            wait(f"{facts} is shown", holds, every=0.05)
        except AssertionError as late:
            raise AssertionError(f"{late} Shown was {shown}.") from None
