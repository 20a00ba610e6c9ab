package import BatonSeams
import Threads

/// `WebSocketClient` over libwebsockets: checks the request, resolves the host, and tries its addresses in order.
///
/// Certificates are checked against the system's authorities, or those in the file `roots`, in PEM. `proxy` returns the HTTP proxy for a
/// scheme and a host, such as `http://host:port`, if any.
@Loop
package final class OutgoingWebSockets: WebSocketClient {
    package typealias ProxyChoice = @Sendable (_ scheme: String, _ host: String) -> String?

    private let loop: EventLoop
    private let roots: String?
    private let proxy: ProxyChoice
    /// Created at the first connection with TLS.
    private var tls: OutgoingTLS?

    package nonisolated init(loop: EventLoop, roots: String? = nil, proxy: @escaping ProxyChoice = { _, _ in nil }) {
        self.loop = loop
        self.roots = roots
        self.proxy = proxy
    }

    package func connect(_ request: WebSocketRequest) async throws(WebSocketFault) -> any WebSocketConnection {
        let endUs = loop.nowUs + request.limits.connect.us
        let url = try WebSocketURL(request.url)
        let headers = try HandshakeHeaders.lines(of: request, to: url)
        let tls = url.isSecure ? try await authorities(for: url) : nil
        var last = WebSocketFault(.notFound, "No machine called \(url.host) was found.")
        for destination in try await destinations(of: url, request, tls) {
            let leftUs = endUs - loop.nowUs
            guard leftUs > 0 else { throw WebSocketFault(.timedOut, "\(url.name) did not answer in time.") }
            let socket = OutgoingSocket(on: loop, to: url, at: destination, for: request, headers: headers)
            switch await socket.open(within: .microseconds(leftUs)) {
            case .success(let connection): return connection
            case .failure(let fault) where fault.code != .refused && fault.code != .failed:
                // Another address would answer the same, or must not be tried.
                throw fault
            case .failure(let fault): last = fault
            }
        }
        throw last
    }

    /// Limit for names, since libwebsockets writes the name twice into a request of 256 bytes.
    private static let longestProxiedHost = 80

    private func authorities(for url: WebSocketURL) async throws(WebSocketFault) -> OutgoingTLS {
        if let tls { return tls }
        switch await OwnThread.run({ [roots] in Result { () throws(SocketsError) in try OutgoingTLS(roots: roots) } }) {
        case .success(let made):
            // Another call may have been faster; its settings already have a virtual host.
            let tls = tls ?? made
            self.tls = tls
            return tls
        case .failure(let error): throw WebSocketFault(.failed, "\(url.name) was not called. \(error.sentence)")
        }
    }

    /// The addresses that the policy allows, or the proxy, which resolves the name itself.
    private func destinations(
        of url: WebSocketURL, _ request: WebSocketRequest, _ tls: OutgoingTLS?
    ) async throws(WebSocketFault) -> [OutgoingSocket.Destination] {
        if let proxy = proxy(url.isSecure ? "https" : "http", url.host) {
            guard let place = ProxyAddress(proxy) else {
                throw WebSocketFault(.badRequest, "The proxy for \(url.name) is not an address such as http://host:port, without a user.")
            }
            guard url.host.utf8.count <= Self.longestProxiedHost else {
                throw WebSocketFault(.badRequest, "A proxy can be asked for names of at most \(Self.longestProxiedHost) bytes.")
            }
            guard let address = try await found(place.host, port: place.port, for: request).first else {
                throw WebSocketFault(.notFound, "The proxy for \(url.name) was not found.")
            }
            let text = address.host.contains(":") ? "[\(address.host)]:\(place.port)" : "\(address.host):\(place.port)"
            return [.init(host: url.host, proxy: text, tls: tls)]
        }
        let addresses = try await found(url.host, port: url.port, for: request)
        let allowed = addresses.filter { address in
            guard let number = NetworkAddress(address.bytes) else { return false }
            return request.policy.allows(CallTarget(host: url.bracketedHost, port: Int(url.port), address: number))
        }
        if allowed.isEmpty, !addresses.isEmpty {
            throw WebSocketFault(.forbidden, "\(url.name) is at an address that this source may not call.")
        }
        return allowed.map { .init(host: $0.host, proxy: nil, tls: tls) }
    }

    private func found(_ host: String, port: UInt16, for request: WebSocketRequest) async throws(WebSocketFault) -> [Address] {
        if let address = Address(host, port) { return [address] }
        let addresses = await NameQuestion(loop).addresses(host, port, within: request.limits.connect)
        if Task.isCancelled { throw WebSocketFault(.cancelled, "\(host) was not waited for.") }
        return addresses
    }
}
