import BatonSeams
import Crypto
import EventLoop
import Foundation
import Glibc
import Harness
import SocketPeers

/// The servers of `server.py` for the length of one test: Debian's `websockets`, and a few that misbehave.
final class Servers: Sendable {
    private struct Ports: Decodable {
        var plain, tls, hang, mute, proxy: Int
    }

    private let server: HelperServer
    private let ports: Ports
    /// The authority of the server's certificate, in a file.
    let roots: String

    /// `name` is the server's name in its certificate.
    init(named name: String = "localhost", isSelfSigned: Bool = false) async throws {
        let root = SigningKey.make()
        let key = SigningKey.make()
        let authority = Certificate.root(name: "Test", host: "", key: root)
        let names = Certificate.Names(hosts: [name, "proxied.local"], addresses: [])
        let leaf = Certificate.leaf(name: "Test", names, key: key, root: authority, rootKey: root)
        let folder = (try temporaryPath("root.pem") as NSString).deletingLastPathComponent
        for (file, text) in [
            ("root.pem", PEM.text("CERTIFICATE", authority.der)),
            ("leaf.pem", PEM.text("CERTIFICATE", (isSelfSigned ? authority : leaf).der)),
            ("key.pem", PEM.text("EC PRIVATE KEY", (isSelfSigned ? root : key).der)),
        ] { try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(file)")) }
        roots = folder + "/root.pem"
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "server.py").path
        let server = try await blocking { try HelperServer(script, ["\(folder)/leaf.pem", "\(folder)/key.pem"]) }
        self.server = server
        ports = try server.said(Ports.self)
    }

    func plain(_ path: String) -> WebSocketRequest { request("ws://127.0.0.1:\(ports.plain)\(path)") }
    func secure(_ path: String, host: String = "localhost") -> WebSocketRequest { request("wss://\(host):\(ports.tls)\(path)") }
    func proxied(_ path: String, isSecure: Bool = false) -> WebSocketRequest {
        request(isSecure ? "wss://proxied.local:\(ports.tls)\(path)" : "ws://proxied.local:\(ports.plain)\(path)")
    }
    var plainAsTLS: WebSocketRequest { request("wss://localhost:\(ports.plain)/echo") }
    var hanging: WebSocketRequest { request("ws://127.0.0.1:\(ports.hang)/") }
    var hangingTLS: WebSocketRequest { request("wss://localhost:\(ports.hang)/") }
    var mute: WebSocketRequest { request("ws://127.0.0.1:\(ports.mute)/") }
    /// A web server that takes no CONNECT.
    var notAProxy: String { "http://127.0.0.1:\(ports.plain)" }
    var proxy: String { "http://127.0.0.1:\(ports.proxy)" }

    private func request(_ url: String) -> WebSocketRequest { WebSocketRequest(url, policy: AddressPolicy { _ in true }) }
}

/// A client that trusts the authority of these servers, or the authorities of the system.
func webSockets(_ servers: Servers? = nil) async throws -> OutgoingWebSockets {
    OutgoingWebSockets(loop: try await EventLoop.background(), roots: servers?.roots)
}

/// Why no connection was made; `nil` when one was.
func refusal(_ request: WebSocketRequest, _ client: OutgoingWebSockets) async -> WebSocketFault? {
    do {
        _ = try await client.connect(request)
        return nil
    } catch {
        return error
    }
}
