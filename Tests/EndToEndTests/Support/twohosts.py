"""Two machines on one cable, made by `two-hosts.sh`, for suites in Python.

The suite itself is on host B, where devices are; a hub and what it asks are started on host A. Only the network is another one: files, and
so sockets of sound servers, are those of both.
"""

import contextlib
import ctypes
import os
import subprocess
import sys
import tempfile

from Support.hubs import NOT_POSSIBLE

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "two-hosts.sh")
NEW_NETWORK = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


class TwoHosts:
    def __init__(self):
        # Short, because two-hosts.sh wants it so.
        self.folder = tempfile.mkdtemp(prefix="baton-", dir="/tmp")
        made = subprocess.run([SCRIPT, "up", self.folder, str(os.getpid())], capture_output=True, text=True, check=False)
        if made.returncode:
            os.rmdir(self.folder)
            print(f"{os.path.basename(sys.argv[0])}: there are no two hosts here: {made.stderr}")
            sys.exit(NOT_POSSIBLE)
        self.address = dict(line.split() for line in made.stdout.splitlines())
        self.networks = {}
        for host in self.address:
            with open(f"{self.folder}/{host}/keeper", encoding="ascii") as file:
                self.networks[host] = os.open(f"/proc/{file.read().split()[0]}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        self.outside = os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        self.enter(self.networks["B"])

    @staticmethod
    def enter(network):
        """What this thread opens and starts from now on is on that network; a socket stays where it was opened."""
        if LIBC.setns(network, NEW_NETWORK):
            raise OSError(ctypes.get_errno(), "The thread cannot change its network.")

    @contextlib.contextmanager
    def on_the_hubs_machine(self):
        self.enter(self.networks["A"])
        try:
            yield
        finally:
            self.enter(self.networks["B"])

    def close(self):
        self.enter(self.outside)
        for network in (self.outside, *self.networks.values()):
            os.close(network)
        subprocess.run([SCRIPT, "down", self.folder], check=True)
