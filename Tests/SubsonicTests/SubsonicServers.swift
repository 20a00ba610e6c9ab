/// The servers of `Tests/Contract` for the length of one test, and connectors to them.
import BatonCore
import BatonSeams
import Crypto
import Foundation
import HTTPClient
import Harness
import Synchronization

@testable import ServerConnectors

/// A program of `Tests/Contract` that says its ports in a line of JSON.
final class ContractServer: Sendable {
    struct Ports: Decodable {
        var port: Int
        var recorder: Int?
    }

    private let server: HelperServer
    let ports: Ports

    init(_ script: String, _ words: [String], python: String = "/usr/bin/python3") throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let words = words.map { $0.replacing("FOLDER", with: "FOLDER/home") }
        server = try HelperServer(root.appendingPathComponent("Contract/\(script)").path, words, python: python)
        ports = try server.said(Ports.self)
    }
}

/// The OpenSubsonic server that was written from documentation.
final class StandIn: Sendable {
    struct Seen: Decodable, Sendable {
        var method: String
        var verb: String
        var ask: [String: [String]]
        var query: String
        var range: String?
        var atMs: Int64
    }

    private let server: ContractServer
    private let base: String

    init(base: String = "", accepts: String = "token,plain,apiKey", refusal: Int = 41, without: [String] = []) throws {
        self.base = base
        let words = ["--base", base, "--accepts", accepts, "--refusal", String(refusal), "--without"] + without
        server = try ContractServer("opensubsonic.py", words)
    }

    var root: String { "http://127.0.0.1:\(server.ports.port)" }
    var url: String { root + base }

    func seen() async throws -> [Seen] {
        let answer = try await HTTPClient().call(HTTPCall(.get, "\(root)/control/requests", policy: .anywhere))
        return try JSONDecoder().decode([Seen].self, from: Data(try await answer.whole()))
    }

    /// The methods that were asked for, without the question for extensions.
    func methods() async throws -> [String] { try await seen().map(\.method).filter { $0 != "getOpenSubsonicExtensions" } }

    func control(_ json: String) async throws {
        _ = try await HTTPClient().call(HTTPCall(.post, "\(root)/control", body: Array(json.utf8), policy: .anywhere)).whole()
    }

    func fail(_ method: String, _ kind: String, times: Int = 1) async throws {
        try await control(#"{"fault": {"method": "\#(method)", "kind": "\#(kind)", "times": \#(times)}}"#)
    }

    func connector(
        _ secrets: SourceSecrets = .ada, options: [String: String] = [:], memory: Notes = Notes(), http: any HTTPCalling = HTTPClient()
    ) throws -> SubsonicConnector { try .to(url, secrets, options: options, memory: memory, http: http) }
}

extension SourceSecrets {
    static let ada = SourceSecrets(user: "ada", password: "sesame")
}

/// Hears a station by a connection of its own, and keeps a past that has its address as its title.
struct DirectRadio: StationHearing {
    private final class Past: StationPast {
        let url: String
        let positions: Range<Int64> = 0..<100
        let isReceiving = false

        init(_ url: String) { self.url = url }

        func titles() -> [StreamTitle] { [StreamTitle(at: 0, timeMs: 0, url)] }
        func gaps() -> [StreamGap] { [] }
        func timeMs(at place: Int64) -> Milliseconds? { Milliseconds(place) }
        func entry(atMs timeMs: Milliseconds) -> (at: Int64, head: [UInt8]) { (timeMs.count, []) }
        func bytes(at place: Int64, count: Int) throws(SourceFault) -> (at: Int64, bytes: [UInt8]) { (place, []) }
    }

    let http: any HTTPCalling

    func play(_ url: String, title: String, _ policy: AddressPolicy) async throws(SourceFault) -> Playable {
        Playable(.bytes(NamedBytes(title, try await http.open(HTTPCall(.get, url, limits: .stream, policy: policy)))), isLive: true)
    }
    func past(of url: String) async -> (any StationPast)? { Past(url) }
}

extension AddressPolicy {
    static let anywhere = AddressPolicy { _ in true }
}

/// A source's memory without a disk.
final class Notes: SourceMemory {
    private let notes = Mutex<[String: String]>([:])

    func value(_ name: String) -> String? { notes.withLock { $0[name] } }
    func store(_ value: String?, _ name: String) { notes.withLock { $0[name] = value } }
    var all: String { notes.withLock { $0.values.joined(separator: "\n") } }
}

extension SubsonicConnector {
    static func to(
        _ url: String, _ secrets: SourceSecrets = .ada, options: [String: String] = [:], memory: Notes = Notes(),
        http: any HTTPCalling = HTTPClient()
    ) throws -> SubsonicConnector {
        let account = SourceAccount(name: "attic", title: "Attic", kind: "subsonic", url: url, options: options)
        let random: @Sendable (Int) -> [UInt8] = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        let parts = SourceParts(http: http, clock: .system, log: .silent, random: random, md5: { OpenSSL().md5($0) }, memory: memory)
        return try SubsonicConnector(account, secrets: secrets, parts: parts, radio: DirectRadio(http: http))
    }

    func uri(_ item: SubsonicItem) -> ItemURI { item.uri(of: source) }

    func rows(_ item: SubsonicItem?, sort: BrowseQuery.Sort? = nil, _ window: PageWindow = PageWindow()) async throws -> [ItemRow] {
        try await browse(BrowseQuery(node: item.map { uri($0) }, sort: sort, window: window)).rows
    }

    func titles(_ item: SubsonicItem) async throws -> [String] { try await rows(item).map(\.tags.title) }

    func sound(_ item: SubsonicItem) async throws -> any ByteSource {
        guard case .bytes(let named) = try await resolve(uri(item), trust: .itemsOnly).location else { throw NoSound() }
        return named.content
    }

    struct NoSound: Error {}
}

extension ByteSource {
    /// All of it from there on, piece by piece.
    func all(from start: Int64 = 0, count: Int = 50_000) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try await read(at: start + Int64(bytes.count), count: count)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }
}

/// The fault of what was tried; `nil` when all went well.
func fault(_ attempt: () async throws -> Void) async -> SourceFault? {
    do {
        try await attempt()
        return nil
    } catch {
        return error as? SourceFault
    }
}
