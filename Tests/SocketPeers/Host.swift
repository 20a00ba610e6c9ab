import BatonClient
import BatonSeams
import Foundation
import Testing

@testable import Sockets

/// A hub as small as can be: pages by path, links that echo, and a memory of all that came.
@Loop
final class Host: Reception {
    typealias Page = @Loop (HTTPRequest) async -> HTTPResponse

    var pages: [String: Page] = [:]
    var refusal: HTTPResponse?
    var echoes = true
    /// Whether connections that come by TLS are received.
    var isReceiving = true
    /// Called at each message, before it is echoed, inside of the link's callback.
    var onMessage: (@Loop () -> Void)?
    private(set) var requests: [HTTPRequest] = []
    private(set) var guests: [Guest] = []

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        requests.append(request)
        guard let page = pages[request.path] else { return .sentence(404, "There is no page \(request.path).") }
        return await page(request)
    }

    func receives(_ peer: Peer) -> Bool { isReceiving }

    func admit(_ request: HTTPRequest) -> Admission {
        requests.append(request)
        if let refusal { return .refuse(refusal) }
        let guest = Guest(of: self)
        guests.append(guest)
        return .accept(guest)
    }
}

/// The hub's side of one link.
@Loop
final class Guest: LinkOwner {
    private unowned let host: Host
    private(set) var link: (any Link)?
    private(set) var texts: [String] = []
    private(set) var binaries: [[UInt8]] = []
    private(set) var closed = 0
    private(set) var writables = 0

    init(of host: Host) { self.host = host }

    func linkOpened(_ link: any Link) {
        self.link = link
    }

    func linkReceived(text: [UInt8]) {
        texts.append(String(decoding: text, as: UTF8.self))
        host.onMessage?()
        if host.echoes { link?.write(Frame(payload: text)) }
    }

    func linkReceived(binary: [UInt8]) {
        binaries.append(binary)
        if host.echoes { link?.write(Frame(payload: binary, isBinary: true)) }
    }

    func linkWritable() { writables += 1 }

    func linkClosed() {
        closed += 1
        link = nil
    }
}

/// Runs `body` with a server on a free port, and closes it.
@Loop
func withHost(
    _ limits: Server.Limits = Server.Limits(), _ body: @Loop (Host, Server, Endpoint) async throws -> Void
) async throws {
    let host = Host()
    let server = Server(try await EventLoop.background(), reception: host, limits: limits)
    let port = try server.listen(tcp: "127.0.0.1", port: 0)
    do {
        try await body(host, server, .tcp(host: "127.0.0.1", port: port))
    } catch {
        await server.close()
        throw error
    }
    await server.close()
    #expect(server.connectionCount == 0)
}

/// Waits until something is so, at most ten seconds.
@Loop
func eventually(_ condition: @Loop () -> Bool) async -> Bool {
    let limit = ContinuousClock.now + .seconds(10)
    while !condition() {
        if ContinuousClock.now > limit { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}

/// A path for a socket file that nobody else uses.
func temporaryPath(_ name: String = "hub.sock") throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appending(path: name).path
}

extension Endpoint {
    var port: UInt16 {
        if case .tcp(_, let port) = self { port } else { 0 }
    }
}

/// Has the loop running before a test begins: one that is isolated to it would otherwise wait for
/// the loop that it is about to start.
struct LoopTrait: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void) async throws {
        _ = try await EventLoop.background()
        try await body()
    }
}

extension Trait where Self == LoopTrait {
    static var loop: Self { LoopTrait() }
}
