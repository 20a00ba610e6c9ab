package import BatonSeams
package import EventLoop
import Glibc
import Threads

/// `WebSocketClient` over libwebsockets: checks the request, looks the host up, and tries its addresses in order.
///
/// Names are looked up on a thread of their own, since the system's resolver blocks. Certificates are checked against
/// the system's authorities, or those in `roots`.
package final class OutgoingWebSockets: WebSocketClient {
    private let loop: EventLoop
    private let roots: String?
    private let proxy: @Sendable (_ scheme: String, _ host: String) -> String?

    /// The most bytes of own headers: libwebsockets has one buffer for a request.
    static let mostHeaderBytes = 2_048

    /// `roots` is a file of certificates in PEM. `proxy` names the HTTP proxy for a host, as `host:port`, where there is one.
    package init(
        loop: EventLoop, roots: String? = nil, proxy: @escaping @Sendable (_ scheme: String, _ host: String) -> String? = { _, _ in nil }
    ) {
        self.loop = loop
        self.roots = roots
        self.proxy = proxy
    }

    package func connect(_ request: WebSocketRequest) async throws(WebSocketFault) -> any WebSocketConnection {
        let url = try WebSocketURL(request.url)
        let head = try Self.headers(of: request, to: url)
        if url.isSecure, url.host.contains(":") {
            throw WebSocketFault(.badRequest, "\(url.name) needs a name: libwebsockets cannot check a certificate for an IPv6 address.")
        }
        let endUs = await loop.nowUs + request.limits.connect.us
        var last = WebSocketFault(.notFound, "No machine called \(url.host) was found.")
        for way in try await ways(to: url, request) {
            let leftUs = endUs - (await loop.nowUs)
            guard leftUs > 0 else { throw WebSocketFault(.timedOut, "\(url.name) did not answer in time.") }
            let socket = await OutgoingSocket(loop, url, way, request, head: head, roots: roots)
            switch await socket.open(within: .microseconds(leftUs)) {
            case .success(let connection): return connection
            // Another address would say the same, or must not be asked.
            case .failure(let fault) where fault.code != .refused && fault.code != .failed: throw fault
            case .failure(let fault): last = fault
            }
        }
        throw last
    }

    /// The addresses that the policy allows, or the proxy, which then looks the name up itself.
    private func ways(to url: WebSocketURL, _ request: WebSocketRequest) async throws(WebSocketFault) -> [OutgoingSocket.Way] {
        if let proxy = proxy(url.isSecure ? "https" : "http", url.host) {
            guard let (host, port) = Self.place(ofProxy: proxy), let address = await found(host, port, within: request.limits.connect).first
            else { throw WebSocketFault(.notFound, "The proxy for \(url.name) was not found.") }
            return [.proxy("\(address.host):\(port)")]
        }
        let addresses = await found(url.host, url.port, within: request.limits.connect)
        let allowed = addresses.filter { address in
            guard let number = NetworkAddress(address.bytes) else { return false }
            return request.policy.allows(CallTarget(host: url.host, port: Int(url.port), address: number))
        }
        if allowed.isEmpty, !addresses.isEmpty {
            throw WebSocketFault(.forbidden, "\(url.name) is at an address that this source may not call.")
        }
        return allowed.map { .direct($0) }
    }

    private func found(_ host: String, _ port: UInt16, within limit: Duration) async -> [Address] {
        if let address = Address(host, port) { return [address] }
        return await LookUp(loop).addresses(host, port, within: limit)
    }

    private static func place(ofProxy text: String) -> (host: String, port: UInt16)? {
        let bare = text.split(separator: "//").last.map { $0.prefix { $0 != "/" } } ?? ""
        guard let colon = bare.lastIndex(of: ":"), let port = UInt16(bare[bare.index(after: colon)...]) else { return nil }
        return (String(bare[..<colon]), port)
    }

    /// Own headers as lines. Names are tokens and values have no control characters, so that no header becomes two.
    private static func headers(of request: WebSocketRequest, to url: WebSocketURL) throws(WebSocketFault) -> [UInt8] {
        var lines: [UInt8] = []
        for (name, value) in request.headers {
            let isToken = !name.isEmpty && name.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
            guard isToken, value.utf8.allSatisfy({ ($0 >= 32 || $0 == 9) && $0 != 127 }) else {
                throw WebSocketFault(.badRequest, "A header for \(url.name) has a character that no header may have.")
            }
            lines += Array("\(name): \(value)\r\n".utf8)
        }
        guard lines.count + url.target.utf8.count <= mostHeaderBytes else {
            throw WebSocketFault(.badRequest, "The address and the headers for \(url.name) have more than \(mostHeaderBytes) bytes.")
        }
        return lines
    }
}

/// One question to the resolver, which may take as long as it likes: the answer is waited for until the limit.
@Loop
private final class LookUp {
    private let loop: EventLoop
    private var waiting: CheckedContinuation<[Address], Never>?

    init(_ loop: EventLoop) { self.loop = loop }

    func addresses(_ host: String, _ port: UInt16, within limit: Duration) async -> [Address] {
        let alarm = loop.after(limit) { [weak self] in self?.answer([]) }
        let found = await withCheckedContinuation { (continuation: CheckedContinuation<[Address], Never>) in
            waiting = continuation
            OwnThread.start { [loop] in
                let addresses = Address.resolved(host, port)
                loop.post { self.answer(addresses) }
            }
        }
        alarm.cancel()
        return found
    }

    private func answer(_ addresses: [Address]) {
        waiting?.resume(returning: addresses)
        waiting = nil
    }
}
