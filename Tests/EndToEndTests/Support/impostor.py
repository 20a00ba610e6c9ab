"""Machines that are not the hub: one that stands at its address, and one that stands between it and a device. Both speak TLS 1.3 with a key of their own."""

import contextlib
import socket
import ssl
import subprocess
import threading


def context(folder):
    """For a server with a new key on P-256, as a hub has one."""
    files = [f"{folder}/impostor.crt", f"{folder}/impostor.key"]
    words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=Test hub", "-days", "2"]
    subprocess.run([*words, "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(*files)
    return made


class Impostor:
    """Takes connections at the address of a hub that is away, and speaks TLS 1.3 with a key of its own."""

    def __init__(self, folder, port):
        self.context = context(folder)
        self.listener = socket.create_server(("0.0.0.0", port))
        # Connections, those of them that went on to data, and the data.
        self.tried, self.met, self.heard = 0, 0, b""
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        while True:
            with contextlib.suppress(ssl.SSLError, ConnectionError):
                try:
                    connection = self.listener.accept()[0]
                except OSError:
                    return
                self.tried += 1
                with connection, self.context.wrap_socket(connection, server_side=True) as secured:
                    self.met += 1
                    self.heard += secured.recv(65_536)

    def close(self):
        if self.thread.is_alive():
            self.listener.shutdown(socket.SHUT_RDWR)
            self.thread.join()
            self.listener.close()

    def paths(self):
        """What was asked for."""
        return {line.split()[1] for line in self.heard.decode().split("\r\n") if line.endswith(" HTTP/1.1")}


class Between:
    """Ends TLS on both sides, and passes on what is said inside."""

    def __init__(self, folder, address):
        self.server = context(folder)
        self.client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.client.check_hostname, self.client.verify_mode = False, ssl.CERT_NONE
        self.address, self.heard = address, b""
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.links, self.threads = [self.listener], [threading.Thread(target=self.serve)]
        self.threads[0].start()

    def serve(self):
        while True:
            try:
                link = self.listener.accept()[0]
            except OSError:
                return
            with contextlib.suppress(ssl.SSLError, OSError):
                device = self.server.wrap_socket(link, server_side=True)
                self.links.append(device)
                hub = self.client.wrap_socket(socket.create_connection(self.address))
                self.links.append(hub)
                for pair in ((device, hub), (hub, device)):
                    self.threads.append(threading.Thread(target=self.carry, args=pair))
                    self.threads[-1].start()

    def carry(self, source, target):
        with contextlib.suppress(ssl.SSLError, OSError):
            while piece := source.recv(65_536):
                self.heard += piece
                target.sendall(piece)
        self.end(source, target)

    @staticmethod
    def end(*links):
        for link in links:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.end(self.listener)
        self.threads[0].join()
        self.end(*self.links)
        for thread in self.threads:
            thread.join()
        for link in self.links:
            link.close()
