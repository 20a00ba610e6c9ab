/// The stations of `server.py` for the length of one test, and a keeper in memory.
import BatonCore
import BatonSeams
import Foundation
import HTTPClient
import Harness
import Stores
import Threads

@testable import BatonRadio

final class Stations: Sendable {
    struct Request: Decodable {
        var path: String
        var metadata: String?
    }

    struct NotLive: Error {}

    private let server: HelperServer
    let port: Int
    let http = HTTPClient()
    let streams: StationStreams

    init() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("server.py").path
        server = try HelperServer(script)
        port = try server.said(Int.self)
        streams = StationStreams(http: http, executor: BlockingPool()) { _ in MemoryRing(mostBytes: 256 * 1024, headStart: 4 * 1024) }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    func listen(_ path: String, _ policy: AddressPolicy = .named(onThisMachine: true)) async throws -> NamedBytes {
        guard case .live(let bytes) = try await streams.listen(to: WebAddress(url(path))!, policy) else { throw NotLive() }
        return bytes
    }

    /// Both at the same time.
    func listenTwice(_ path: String) async throws -> [NamedBytes] {
        async let first = listen(path)
        async let second = listen(path)
        return [try await first, try await second]
    }

    func seen() async throws -> [Request] {
        let answer = try await http.call(HTTPCall(.get, url("seen"), policy: .named(onThisMachine: true)))
        return try JSONDecoder().decode([Request].self, from: Data(try await answer.whole()))
    }

    /// The sound of each station of the server.
    static func sound(_ start: Int, _ count: Int) -> [UInt8] { (start..<start + count).map { UInt8(truncatingIfNeeded: ($0 &* 31) >> 3) } }
}

extension ByteSource {
    /// So many bytes from there on, however they come.
    func bytes(_ position: Int64, _ count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = try await read(at: position + Int64(bytes.count), count: count - bytes.count)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }
}
