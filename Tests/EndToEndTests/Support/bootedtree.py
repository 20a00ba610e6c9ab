"""A bare Debian 12 in a folder, made by mmdebstrap, in which systemd itself runs: in namespaces of its own, so that nothing outside of it is
started, seen or changed, and everything in it ends with its first process."""

import os
import shutil
import signal
import subprocess
import time

from Support.hubs import ROOT, wait

KEPT = f"{ROOT}/.build/trees"
# What starts systemd: it becomes the first process of the namespaces, in the folder.
BOOT = r"""
set -e
mount --make-rprivate /
mount --bind "$0" "$0"
mount -t proc proc "$0/proc"
mount -t sysfs -o ro sysfs "$0/sys"
mount -t cgroup2 cgroup2 "$0/sys/fs/cgroup" 2>/dev/null || { mount -t tmpfs tmpfs "$0/sys/fs/cgroup" && mount -t cgroup2 cgroup2 "$0/sys/fs/cgroup"; }
mount -t tmpfs -o mode=755 tmpfs "$0/run"
mount -t tmpfs -o mode=755 tmpfs "$0/dev"
# Nodes of its own: systemd changes the modes of some, and those of this machine must stay as they are. The console leads nowhere.
while read -r name minor; do mknod -m 666 "$0/dev/$name" c 1 "$minor"; done <<NODES
null 3
zero 5
full 7
random 8
urandom 9
console 3
NODES
mknod -m 666 "$0/dev/tty" c 5 0
mkdir -p "$0/dev/pts" "$0/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts"
ln -s pts/ptmx "$0/dev/ptmx"
mount -t tmpfs tmpfs "$0/dev/shm"
ip link set lo up
# In a chroot no unit could have users of its own, so this becomes the root of the namespace.
cd "$0"
pivot_root . mnt
umount -l /mnt
exec env -i container=baton-test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=multi-user.target
"""


def sources():
    """The package archive that this machine uses."""
    found = []
    for folder, _, names in os.walk("/etc/apt"):
        for name in names:
            if name.endswith(".sources"):
                with open(f"{folder}/{name}", encoding="utf-8") as file:
                    found += [line.split(None, 1)[1].strip() for line in file if line.startswith("URIs:")]
            elif name == "sources.list":
                with open(f"{folder}/{name}", encoding="utf-8") as file:
                    found += [word for line in file if line.startswith("deb ") for word in line.split() if word.startswith("http")]
    return found or ["http://deb.debian.org/debian"]


def bare(*packages):
    """The path of an archive with a bare system and these packages; made once, and kept below .build."""
    os.makedirs(KEPT, exist_ok=True)
    path = f"{KEPT}/bookworm-{'-'.join(('bare', *packages))}.tar"
    if not os.path.exists(path):
        included = [f"--include={','.join(packages)}"] if packages else []
        subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=apt", *included, "--format=tar", "bookworm", path + ".new", sources()[0]],
            check=True, stdin=subprocess.DEVNULL, timeout=1200)
        os.rename(path + ".new", path)
    return path


class Tree:
    """The folder, and commands in it."""

    def __init__(self, folder, archive):
        self.folder = folder
        os.makedirs(folder)
        subprocess.run(["tar", "-xf", archive, "-C", folder, "--numeric-owner"], check=True, timeout=300)
        shutil.copy("/etc/resolv.conf", f"{folder}/etc/resolv.conf")
        with open(f"{folder}/etc/hostname", "w", encoding="utf-8") as file:
            file.write("bare\n")
        self.process = self.first = None

    def path(self, inside):
        return f"{self.folder}{inside}"

    def write(self, inside, text, mode=0o644):
        os.makedirs(os.path.dirname(self.path(inside)), exist_ok=True)
        with open(self.path(inside), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(inside), mode)

    def read(self, inside):
        with open(self.path(inside), encoding="utf-8", errors="replace") as file:
            return file.read()

    # Without systemd

    def chroot(self, *words, limit=600, check=True):
        """A command in the folder, with the network of this machine, as for apt."""
        ended = subprocess.run(
            ["unshare", "-m", "-p", "-f", "--mount-proc", f"--root={self.folder}", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8",
             "DEBIAN_FRONTEND=noninteractive", *words], capture_output=True, text=True, timeout=limit, check=False, stdin=subprocess.DEVNULL)
        if check and ended.returncode != 0:
            raise AssertionError(f"{' '.join(words)} ended with {ended.returncode}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}")
        return ended

    # With systemd

    def boot(self):
        """Starts systemd in the folder, without a network. False where this machine does not let it start."""
        self.process = subprocess.Popen(
            ["unshare", "-m", "-p", "-f", "-C", "-u", "-i", "-n", "--kill-child", "bash", "-c", BOOT, self.folder],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            wait("systemd has started", self.has_booted, 60, every=0.2)
        except AssertionError:
            self.halt()
            return False
        return True

    def has_booted(self):
        if self.process.poll() is not None:
            raise AssertionError("it has ended")
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=False).stdout.split()
        if not children:
            return False
        self.first = children[0]
        with open(f"/proc/{self.first}/comm", encoding="utf-8") as file:
            if file.read().strip() != "systemd":
                return False
        state = self.run("systemctl", "is-system-running", check=False).stdout.strip()
        return state in ("running", "degraded")

    def run(self, *words, limit=300, check=True, user=None, **environment):
        """A command beside the running systemd."""
        inside = ["runuser", "-u", user, "--"] if user else []
        given = [f"{name}={value}" for name, value in environment.items()]
        ended = subprocess.run(
            ["nsenter", "-t", self.first, "-m", "-p", "-C", "-u", "-i", "-n", "-r", "-w", "env", "-i",
             "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", *given, *inside, *words],
            capture_output=True, text=True, timeout=limit, check=False, stdin=subprocess.DEVNULL)
        if check and ended.returncode != 0:
            raise AssertionError(f"{' '.join(words)} ended with {ended.returncode}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}")
        return ended

    def until(self, sentence, condition, limit=60):
        return wait(sentence, condition, limit, every=0.1)

    def halt(self):
        if self.process is None:
            return
        if self.process.poll() is None:
            # unshare passes its end on to the first process, and with that all others end.
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)
        if self.process.stderr:
            self.process.stderr.close()
        self.process = None

    def close(self):
        self.halt()
        for _ in range(20):
            shutil.rmtree(self.folder, ignore_errors=True)
            if not os.path.exists(self.folder):
                return
            time.sleep(0.2)
