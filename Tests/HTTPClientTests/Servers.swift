/// The servers of `server.py` for the length of one test, and what they saw.
import BatonSeams
import Foundation
import Harness

@testable import HTTPClient

final class Servers: Sendable {
    struct Seen: Decodable {
        struct Request: Decodable {
            var method: String
            var path: String
            var headers: [[String]]
            var body: String

            func header(_ name: String) -> String? { headers.first { $0[0].lowercased() == name }?[1] }
        }

        var connections: Int
        var requests: [Request]
        var sent: Int
    }

    private struct Ports: Decodable {
        var first: Int
        var second: Int
        var tls: Int
        var expired: Int
        var proxy: Int
    }

    private let server: HelperServer
    private let ports: Ports
    var folder: String { server.folder }

    init() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("server.py").path
        server = try HelperServer(script, ["FOLDER"])
        ports = try server.said(Ports.self)
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(ports.first)\(path)" }
    /// The same server by a name that has to be looked up.
    func named(_ path: String) -> String { "http://localhost:\(ports.first)\(path)" }
    func second(_ path: String) -> String { "http://127.0.0.2:\(ports.second)\(path)" }
    func secure(_ path: String, host: String = "localhost") -> String { "https://\(host):\(ports.tls)\(path)" }
    /// Its certificate is over.
    func expired(_ path: String) -> String { "https://localhost:\(ports.expired)\(path)" }
    var proxy: String { "http://127.0.0.1:\(ports.proxy)" }
    var certificate: String { folder + "/cert.pem" }

    func seen() async throws -> Seen {
        let answer = try await HTTPClient().call(HTTPCall(.get, url("/seen"), policy: .anywhere))
        return try JSONDecoder().decode(Seen.self, from: Data(try await answer.whole()))
    }
}

extension AddressPolicy {
    static let anywhere = AddressPolicy { _ in true }
}

extension HTTPClient {
    /// The fault of a call, its body included; `nil` when all went well.
    func fault(_ call: HTTPCall) async -> HTTPCallFault? {
        do {
            _ = try await self.call(call).whole()
            return nil
        } catch {
            return error
        }
    }

    func text(_ call: HTTPCall) async throws -> String { String(decoding: try await self.call(call).whole(), as: UTF8.self) }
}
