/// A Chad Music server (`Tests/Contract/chadmusic.py`) for the length of one test, an account at it, and what it saw.
import BatonCore
import BatonJSON
import BatonSeams
import Foundation
import HTTPClient
import Harness
import ServerConnectors

final class ChadHost: Sendable {
    struct Request: Equatable {
        var method: String
        var path: String
        var key: String
        var range: String
        var isOther: Bool
        var filename: String
    }

    private struct Told: Decodable { var port: Int }

    struct NotThere: Error {}

    static let key = "chad-key-1"

    private let server: HelperServer
    private let port: Int
    let http = HTTPClient()

    init() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        server = try HelperServer(tests.appendingPathComponent("Contract/chadmusic.py").path)
        port = try server.said(Told.self).port
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// An account. `anywhere` lets its calls reach other places of this machine, which a hub does not.
    func account(base: String = "", key: String = ChadHost.key, anywhere: Bool = false, calls: (any HTTPCalling)? = nil) throws -> ChadMusic
    {
        let account = SourceAccount(name: "chad", title: "Loft", kind: "chadmusic", url: url + base)
        let calls = calls ?? (anywhere ? CallsAnywhere(http: http) : http)
        let parts = SourceParts(
            http: calls, clock: .system, log: .silent, random: { Array(repeating: 0, count: $0) }, md5: { _ in [] }, memory: NoMemory())
        return try ChadMusic(account, secrets: SourceSecrets(apiKey: key), parts: parts)
    }

    /// Changes how the server behaves (`Behaviour` in the script).
    func set(_ behaviour: [String: String]) async throws {
        let query = behaviour.map { "\($0.key)=\(PercentText.encoded($0.value))" }.joined(separator: "&")
        _ = try await ask("/control?\(query)")
    }

    /// What came so far, without questions of the test's own.
    func requests() async throws -> [Request] {
        let seen = try await ask("/seen")["requests"]?.array ?? []
        return seen.map { row in
            Request(
                method: row["method"]?.string ?? "", path: row["path"]?.string ?? "", key: row["key"]?.string ?? "",
                range: row["range"]?.string ?? "", isOther: row["other"]?.bool ?? false, filename: row["filename"]?.string ?? "")
        }
    }

    /// Those that one piece of work causes.
    func requests(of work: () async throws -> Void) async throws -> [Request] {
        let before = try await requests().count
        try await work()
        return Array(try await requests().dropFirst(before))
    }

    func ask(_ path: String) async throws -> JSON {
        let answer = try await http.call(HTTPCall(.get, url + path, policy: .server("127.0.0.1", port: port)))
        var limits = JSONLimits()
        limits.elements = 100_000
        return try JSON.parse(try await answer.whole(), limits: limits)
    }
}

/// The client, with every address allowed: what is another server to these tests is on this machine too.
private struct CallsAnywhere: HTTPCalling {
    let http: HTTPClient

    func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer {
        var call = call
        call.policy = AddressPolicy { _ in true }
        return try await http.call(call)
    }

    func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource { throw SourceFault(.unsupported, "Not used here.") }
}

private struct NoMemory: SourceMemory {
    func value(_ name: String) -> String? { nil }
    func store(_ value: String?, _ name: String) {}
}

/// Bytes in memory, to be uploaded.
struct HeldBytes: ByteSource {
    var bytes: [UInt8]
    var length: Int64? { Int64(bytes.count) }
    var hasRanges: Bool { true }
    var version: ContentVersion? { nil }

    func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        Array(bytes.dropFirst(Int(position)).prefix(count))
    }
}

extension ChadMusic {
    func rows(_ node: String?, from: Int = 0, limit: Int = 100) async throws -> [ItemRow] {
        try await browse(BrowseQuery(node: node.map { ItemURI($0) }, window: PageWindow(from: from, limit: limit))).rows
    }

    /// The sentence and code with which something fails; `nil` when it does not.
    func fault(_ work: (ChadMusic) async throws -> Void) async -> SourceFault? {
        do { try await work(self) } catch { return error as? SourceFault }
        return nil
    }

    /// All bytes of a track, piece by piece.
    func bytes(_ uri: ItemURI, from start: Int64 = 0) async throws -> [UInt8] {
        guard case .bytes(let content) = try await resolve(uri, trust: .musicFolders).location else { return [] }
        return try await content.content.all(from: start)
    }
}

extension ByteSource {
    func all(from start: Int64 = 0) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try await read(at: start + Int64(bytes.count), count: 50_000)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }
}
