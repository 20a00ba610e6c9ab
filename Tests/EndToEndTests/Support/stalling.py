#!/usr/bin/python3
"""A disk that stalls on command: another folder, read only, served over FUSE without a library.

A file whose path holds what was named is neither looked up, listed nor read until it is let go; the kernel keeps
whoever asks waiting, as it does at a disk that has stopped. Started by `StallingDisk` as a process of its own,
since a process must not wait for a disk that it serves itself."""

import ctypes
import os
import select
import stat
import struct
import subprocess
import sys

LOOKUP, FORGET, GETATTR, READLINK, OPEN, READ, STATFS, RELEASE, FLUSH = 1, 2, 3, 5, 14, 15, 17, 18, 25
INIT, OPENDIR, READDIR, RELEASEDIR, ACCESS, INTERRUPT, DESTROY, BATCH_FORGET = 26, 27, 28, 29, 34, 36, 38, 42
ENOENT, ENOSYS, EROFS = 2, 38, 30
LIBC = ctypes.CDLL(None, use_errno=True)
READ_ONLY_NOSUID_NODEV, DETACH = 7, 2


def can_stall():
    """Whether this machine lets us mount."""
    try:
        os.close(os.open("/dev/fuse", os.O_RDWR))
    except OSError:
        return False
    return os.geteuid() == 0


class StallingDisk:
    """`source` as it stands, seen at `place`."""

    def __init__(self, source, place):
        os.makedirs(place, exist_ok=True)
        self.place = place
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), source, place], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        said = self.process.stdout.readline()
        if said != b"ready\n":
            raise AssertionError(f"The disk was not mounted: {said}")

    def tell(self, *words):
        self.process.stdin.write("\t".join(words).encode() + b"\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def hold(self, part):
        """From now on nothing comes of what has `part` in its path."""
        self.tell("hold", part)

    def hold_reading(self, part):
        """It can be seen and opened, and is not read."""
        self.tell("read", part)

    def go(self):
        """Everything is answered, also what waits."""
        self.tell("go")

    @property
    def waiting(self):
        """How many requests are being held."""
        return self.tell("count")

    def close(self):
        if self.process.poll() is None:
            # Processes that still wait get an error, and the mount point is free again.
            LIBC.umount2(self.place.encode(), DETACH)
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Server:
    def __init__(self, source, place):
        self.fuse = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
        options = f"fd={self.fuse},rootmode=40755,user_id=0,group_id=0,allow_other".encode()
        if LIBC.mount(b"stalling", place.encode(), b"fuse.stalling", READ_ONLY_NOSUID_NODEV, options) != 0:
            sys.exit(f"mount: {os.strerror(ctypes.get_errno())}")
        self.paths, self.numbers = {1: source}, {source: 1}
        self.held, self.part, self.verbs = [], None, ()

    def serve(self):
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        # Unbuffered, or what select says of it would not be all there is.
        words = os.fdopen(0, "rb", buffering=0)
        while True:
            ready, _, _ = select.select([self.fuse, words], [], [])
            if words in ready:
                line = words.readline()
                if not line:
                    return
                self.obey(*line.decode().rstrip("\n").split("\t"))
            if self.fuse in ready:
                try:
                    self.take(os.read(self.fuse, 1 << 18))
                except OSError:
                    return

    def obey(self, word, part=None):
        if word in ("hold", "read"):
            self.part, self.verbs = part, (READ,) if word == "read" else (LOOKUP, GETATTR, OPEN, READ, OPENDIR, READDIR)
        elif word == "go":
            self.part = None
            held, self.held = self.held, []
            for request in held:
                self.answer(*request)
        sys.stdout.write(f"{len(self.held)}\n")
        sys.stdout.flush()

    def take(self, frame):
        _, verb, unique, node, _, _, _, _ = struct.unpack_from("<IIQQIIII", frame)
        body = frame[40:]
        path = self.paths.get(node, "")
        if verb == LOOKUP:
            path = os.path.join(path, os.fsdecode(body[:-1]))
        if self.part and verb in self.verbs and self.part in path:
            self.held.append((verb, unique, node, body, path))
        else:
            self.answer(verb, unique, node, body, path)

    def answer(self, verb, unique, node, body, path):
        if verb in (FORGET, BATCH_FORGET, INTERRUPT):
            return
        error, data = 0, b""
        try:
            data = self.result(verb, body, path)
        except OSError as failure:
            error = failure.errno
        try:
            os.write(self.fuse, struct.pack("<IiQ", 16 + len(data), -error, unique) + data)
        except OSError:
            pass  # The request was given up.

    def result(self, verb, body, path):
        if verb == INIT:
            return struct.pack("<IIIIHHIIHHI", 7, 31, 1 << 17, 0, 16, 12, 1 << 17, 1, 32, 0, 0) + bytes(28)
        if verb == LOOKUP:
            status = os.lstat(path)
            node = self.numbers.setdefault(path, len(self.numbers) + 1)
            self.paths[node] = path
            return struct.pack("<QQQQII", node, 0, 0, 0, 0, 0) + self.attributes(status)
        if verb == GETATTR:
            return struct.pack("<QII", 0, 0, 0) + self.attributes(os.lstat(path))
        if verb == READLINK:
            return os.fsencode(os.readlink(path))
        if verb in (OPEN, OPENDIR):
            # Straight through, so that nothing is read ahead of who asks.
            return struct.pack("<QIi", 0, 1 if verb == OPEN else 0, 0)
        if verb == READ:
            _, offset, size = struct.unpack_from("<QQI", body)
            with open(path, "rb", buffering=0) as file:
                return os.pread(file.fileno(), size, offset)
        if verb == READDIR:
            return self.listing(path, *struct.unpack_from("<QI", body, 8))
        if verb == STATFS:
            return bytes(80)
        if verb in (RELEASE, RELEASEDIR, FLUSH, ACCESS, DESTROY):
            return b""
        raise OSError(ENOSYS, "unknown")

    @staticmethod
    def attributes(status):
        def parts(ns):
            return divmod(ns, 1_000_000_000)
        times = [parts(status.st_atime_ns), parts(status.st_mtime_ns), parts(status.st_ctime_ns)]
        return struct.pack(
            "<QQQQQQIIIIIIIIII", status.st_ino, status.st_size, status.st_blocks, *(s for s, _ in times), *(n for _, n in times),
            status.st_mode, status.st_nlink, status.st_uid, status.st_gid, 0, 4096, 0)

    @staticmethod
    def listing(path, offset, size):
        data = b""
        for number, entry in enumerate(sorted(os.scandir(path), key=lambda one: one.name)):
            if number < offset:
                continue
            name = os.fsencode(entry.name)
            kind = stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode) >> 12
            one = struct.pack("<QQII", entry.inode(), number + 1, len(name), kind) + name
            one += bytes(-len(one) % 8)
            if len(data) + len(one) > size:
                break
            data += one
        return data


if __name__ == "__main__":
    Server(sys.argv[1], sys.argv[2]).serve()
