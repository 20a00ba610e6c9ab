"""What the servers of tests share: many requests at a time, and connections that a test can cut."""

import http.server


class ContractServer(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, state, handler, port=0):
        self.state, self.connections = state, set()
        super().__init__(("127.0.0.1", port), handler)

    def process_request(self, request, address):
        self.connections.add(request)
        super().process_request(request, address)

    def shutdown_request(self, request):
        self.connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request, address):
        pass  # A client that left, as some tests have it do.
