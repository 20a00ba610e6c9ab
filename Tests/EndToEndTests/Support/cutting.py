"""A way to a hub that ends a connection once, at a record of TLS that is chosen."""

import contextlib
import socket
import threading
import time


class Cutting:
    """Passes TLS on to a hub. Once, when the device has sent the record of data with this number, the connection ends: before the hub has it,
    or when the hub has it and nothing of what it answers comes through."""

    def __init__(self, address, record, is_passed):
        self.address, self.record, self.is_passed, self.is_done = address, record, is_passed, False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.links, self.threads = [self.listener], [threading.Thread(target=self.serve)]
        self.threads[0].start()

    def serve(self):
        while True:
            try:
                device = self.listener.accept()[0]
            except OSError:
                return
            hub, is_silent = socket.create_connection(self.address), threading.Event()
            self.links += [device, hub]
            for target, ends in ((self.ask, (device, hub, is_silent)), (self.answer, (hub, device, is_silent))):
                self.threads.append(threading.Thread(target=target, args=ends))
                self.threads[-1].start()

    def ask(self, device, hub, is_silent):
        number, rest = 0, b""
        with contextlib.suppress(OSError):
            while more := device.recv(65_536):
                rest += more
                while len(rest) >= 5 and len(rest) >= 5 + (size := int.from_bytes(rest[3:5], "big")):
                    record, rest = rest[:5 + size], rest[5 + size:]
                    number += record[0] == 23
                    if not self.is_done and number == self.record:
                        self.is_done = True
                        if self.is_passed:
                            is_silent.set()
                            hub.sendall(record)
                            time.sleep(0.5)  # By then the hub has answered.
                        raise ConnectionResetError
                    hub.sendall(record)
        self.end(device, hub)

    def answer(self, hub, device, is_silent):
        with contextlib.suppress(OSError):
            while more := hub.recv(65_536):
                if not is_silent.is_set():
                    device.sendall(more)
        self.end(device, hub)

    @staticmethod
    def end(*ends):
        for one in ends:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.end(self.listener)
        self.threads[0].join()
        self.end(*self.links)
        for thread in self.threads:
            thread.join()
        for one in self.links:
            one.close()
