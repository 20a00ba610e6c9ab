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

    struct NotStarted: Error {}

    private struct Ports: Decodable {
        var first: Int
        var second: Int
        var tls: Int
        var expired: Int
        var proxy: Int
    }

    private let child: Child
    private let ports: Ports
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "baton-calls-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("server.py").path
        let told = folder + "/ports"
        child = try Child("/usr/bin/python3", [script, folder], out: told, err: folder + "/errors")
        ports = try Self.ports(in: told)
    }

    deinit {
        child.signal(SIGTERM)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func ports(in file: String) throws -> Ports {
        for _ in 0..<3_000 {
            if let text = try? String(contentsOfFile: file, encoding: .utf8), text.hasSuffix("\n") {
                return try JSONDecoder().decode(Ports.self, from: Data(text.utf8))
            }
            usleep(10_000)
        }
        throw NotStarted()
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

/// Waits for a condition, with a limit that no healthy machine reaches.
func until(_ isSo: () async throws -> Bool) async throws {
    for _ in 0..<3_000 {
        if try await isSo() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    throw Servers.NotStarted()
}
