"""Hubs that run as a user without rights, as the service does, and admins on another machine.

Where the suite runs as root, the hub is started as `nobody`, without capabilities and without a way to new rights, and
its folders belong to that user. The rest of the unit's hardening is systemd's own work and is not repeated here.
"""

import glob
import hmac
import http.client
import json
import os
import pwd
import shutil
import ssl
import subprocess

from runner.pairing import b64, unb64
from Support.hubs import Home, Hub, binaries

IS_ROOT = os.geteuid() == 0
USER = pwd.getpwnam("nobody")
UNPRIVILEGED = (
    "/usr/bin/setpriv", f"--reuid={USER.pw_uid}", f"--regid={USER.pw_gid}", "--clear-groups", "--no-new-privs",
    "--bounding-set=-all", "--inh-caps=-all",
)


def bearer(dev, key):
    """What a device shows by HTTP: it follows from its key, which stays here."""
    return f"{dev}.{b64(hmac.digest(unb64(key), b'baton/1 bearer', 'sha256'))}"


class UnprivilegedHome(Home):
    """A home whose hub runs as nobody. The programs are copied, since a checkout may be closed to that user."""

    def __init__(self):
        super().__init__()
        self.programs = f"{self.folder}/bin"
        os.mkdir(self.programs)
        for name in ("batond", "baton-reader"):
            shutil.copy2(f"{binaries()}/{name}", self.programs)
        # ALSA's own configuration, so that its plug-ins are there as on every Debian machine.
        del self.environment["ALSA_CONFIG_PATH"]
        self.give()

    def give(self):
        """Everything in the home belongs to the hub's user."""
        if not IS_ROOT:
            return
        for folder, _, names in os.walk(self.folder):
            for path in (folder, *(os.path.join(folder, name) for name in names)):
                os.chown(path, USER.pw_uid, USER.pw_gid, follow_symlinks=False)

    def start(self, *words, **options):
        if words[0].endswith("/batond"):
            words = (*(UNPRIVILEGED if IS_ROOT else ()), f"{self.programs}/batond", *words[1:])
        return super().start(*words, **options)

    def folder_for(self, name):
        """A folder in which the hub's user may write."""
        path = f"{self.folder}/{name}"
        os.makedirs(path, exist_ok=True)
        self.give()
        return path


class RemoteAdmin:
    """Another machine that is paired with the hub, as admin or in another role, and reaches it by TLS only."""

    def __init__(self, hub, role="admin"):
        self.home = Home()
        self.number = 0
        said = json.loads(hub.home.baton("--json", "pair", "--open", "--role", role))
        self.address = self.address_of(hub)
        ended = subprocess.run(
            [f"{binaries()}/baton", "--json", "pair", self.address], env=self.home.environment, input=said["pin"] + "\n", capture_output=True,
            text=True, timeout=60, check=False)
        if ended.returncode != 0 or json.loads(ended.stdout)["role"] != role:
            raise AssertionError(f"pairing failed: {ended.stdout} {ended.stderr}")

    @staticmethod
    def address_of(hub):
        found = [line for line in Hub.text(hub.said).split("\n") if "network https://" in line]
        return "wss://" + found[0].split("https://")[1].split("/")[0]

    def run(self, *words):
        return self.home.run(f"{binaries()}/baton", "--hub", self.address, *words)

    def ask(self, method, **params):
        """A command over HTTP, by the bearer that follows from the key of the pairing: -> the answer."""
        self.number += 1
        body = json.dumps({"t": "cmd", "id": self.number, "m": method, "k": f"far-{self.number}", "p": params})
        return json.loads(self.http("POST", "/baton/cmd", body)[1])

    def get(self, path):
        """-> (status, bytes)"""
        return self.http("GET", path, None)

    @property
    def bearer(self):
        with open(glob.glob(f"{self.home.folder}/*/**/hubs", recursive=True)[0], encoding="utf-8") as file:
            kept = json.load(file)["hubs"][0]
        return {"Authorization": f"Bearer {bearer(kept['dev'], kept['key'])}"}

    def http(self, verb, path, body):
        answer = self.request(verb, path, body, self.bearer)
        return answer.status, answer.whole

    def request(self, verb, path, body=None, headers=()):
        """The answer, with its body in `whole`."""
        # The hub's key is what counts, not the names in its certificate; and no one can intercept connections on this machine.
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        host, _, port = self.address.removeprefix("wss://").rpartition(":")
        connection = http.client.HTTPSConnection(host, int(port), timeout=60, context=trusting)
        try:
            connection.request(verb, path, body, dict(headers))
            answer = connection.getresponse()
            answer.whole = answer.read()
            return answer
        finally:
            connection.close()

    def close(self):
        self.home.close()


def owner(home):
    """The owner at the hub's own socket, asked as `RemoteAdmin.run` is."""
    return lambda *words: home.run(f"{binaries()}/baton", *words)
