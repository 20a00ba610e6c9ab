package import BatonClient
package import BatonSeams
package import EventLoop
import Foundation
package import SocketServer

/// A small hub for tests: pages by path, links that echo, and a record of all that came.
@Loop
package final class SmallHub: Reception {
    package typealias Page = @Loop (HTTPRequest) async -> HTTPResponse

    package init() {}

    package var pages: [String: Page] = [:]
    /// Paths whose page reads the body while it arrives, and how long it may be.
    package var streams: [String: Int64] = [:]
    package var refusal: HTTPResponse?
    package var echoes = true
    /// Whether connections that come by TLS are received.
    package var isReceiving = true
    /// Called at each message, before it is echoed, inside of the link's callback.
    package var onMessage: (@Loop () -> Void)?
    package private(set) var requests: [HTTPRequest] = []
    package private(set) var guests: [Guest] = []

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        requests.append(request)
        guard let page = pages[request.path] else { return .sentence(404, "There is no page \(request.path).") }
        return await page(request)
    }

    package let headers: Set<String> = []

    package func receives(_ peer: Peer) -> Bool { isReceiving }

    package func opening(of request: HTTPRequest, _ method: HTTPRequest.Method?) -> RequestOpening {
        if let most = streams[request.path] { return .stream(most: most) }
        let methods: [HTTPRequest.Method?] = [.get, .head, .post]
        return methods.contains(method)
            ? .body(most: nil)
            : .refuse(.sentence(405, "Only GET, HEAD and POST are understood here.", headers: [("allow", "GET, HEAD, POST")]))
    }

    package func upgradeOpening(of request: HTTPRequest) -> UpgradeOpening {
        request.path == "/baton" ? .speaks("baton.v1") : .refuse(.sentence(404, "WebSocket is spoken at /baton only."))
    }

    package func upgrade(_ request: HTTPRequest) -> UpgradeAnswer {
        requests.append(request)
        if let refusal { return .refuse(refusal) }
        let guest = Guest(of: self)
        guests.append(guest)
        return .accept(guest)
    }
}

/// The hub's side of one link.
@Loop
package final class Guest: LinkOwner {
    private unowned let host: SmallHub
    package private(set) var link: (any Link)?
    package private(set) var texts: [String] = []
    package private(set) var binaries: [[UInt8]] = []
    package private(set) var closed = 0
    package private(set) var writables = 0

    package init(of host: SmallHub) { self.host = host }

    package func linkOpened(_ link: any Link) {
        self.link = link
    }

    package func linkReceived(text: [UInt8]) {
        texts.append(String(decoding: text, as: UTF8.self))
        host.onMessage?()
        if host.echoes { link?.write(Frame(payload: text)) }
    }

    package func linkReceived(binary: [UInt8]) {
        binaries.append(binary)
        if host.echoes { link?.write(Frame(payload: binary, isBinary: true)) }
    }

    package func linkWritable() { writables += 1 }

    package func linkClosed() {
        closed += 1
        link = nil
    }
}

/// A server that was closed and still holds connections.
package struct ConnectionsLeft: Error { package let count: Int }

/// Runs `body` with a server on a free port, and closes it. The limits of connections follow `time`, where it is given. Fails when the closed server still holds connections.
@Loop
package func withHost(
    _ limits: Server.Limits = Server.Limits(), time: (any Reactor)? = nil,
    _ body: @Loop (SmallHub, Server, Endpoint) async throws -> Void
) async throws {
    let host = SmallHub()
    let server = Server(try await EventLoop.background(), reception: host, limits: limits, time: time)
    let port = try server.listen(tcp: "127.0.0.1", port: 0)
    do {
        try await body(host, server, .tcp(host: "127.0.0.1", port: port))
    } catch {
        await server.close()
        throw error
    }
    await server.close()
    guard server.connectionCount == 0 else { throw ConnectionsLeft(count: server.connectionCount) }
}

/// Waits until something is so, at most a minute.
@Loop
package func eventually(_ condition: @Loop () -> Bool) async -> Bool {
    let limit = ContinuousClock.now + .seconds(60)
    while !condition() {
        if ContinuousClock.now > limit { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}

/// Lets the loop have a turn.
@Loop package func pass(on loop: EventLoop) async throws {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        _ = loop.after(.milliseconds(5)) { done.resume() }
    }
}

/// A path for a socket file that no other test uses.
package func temporaryPath(_ name: String = "hub.sock") throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appending(path: name).path
}

extension Endpoint {
    package var port: UInt16 {
        if case .tcp(_, let port) = self { port } else { 0 }
    }
}
