/// Files of a real server, read by ranges.
import BatonSeams
import Foundation
import Harness
import Testing

@testable import HTTPClient

@Suite struct RemoteBytesTests {
    private let client = HTTPClient()
    private let servers: Servers
    private static let content = (0..<300_000).map { UInt8($0 * 7 % 251) }

    init() throws { servers = try Servers() }

    private func open(_ path: String) async throws -> any ByteSource {
        try await client.open(HTTPCall(.get, servers.url(path), limits: .stream, policy: .anywhere))
    }

    /// All of it, piece by piece.
    private func all(of source: any ByteSource, from start: Int64 = 0) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try await source.read(at: start + Int64(bytes.count), count: 50_000)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }

    @Test func `a file that is read in order costs one request`() async throws {
        let file = try await open("/file")

        #expect(file.length == 300_000 && file.hasRanges && file.version?.tag == "\"one\"")
        #expect(try await all(of: file) == Self.content)
        #expect(try await servers.seen().requests.count == 1)
    }

    @Test func `a file is read from anywhere, by several readers at once`() async throws {
        let file = try await open("/file")

        try await withThrowingTaskGroup(of: Void.self) { group in
            for start in [299_999, 0, 150_000, 12_345] as [Int64] {
                group.addTask {
                    let bytes = try await all(of: file, from: start)
                    #expect(bytes == Array(Self.content[Int(start)...]))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await file.read(at: 300_000, count: 10).isEmpty)
    }

    @Test func `a file without a tag is known by the time of its last change, unless that is of this minute`() async throws {
        let file = try await open("/dated")
        #expect(file.version?.tag == "\"Sun, 06 Nov 1994 08:49:00 GMT\"")
        #expect(try await all(of: file, from: 250_001) == Array(Self.content[250_001...]))

        #expect(try await open("/dated?now").version == nil)

        let changing = try await open("/dated?changes")
        let fault = await #expect(throws: SourceFault.self) { try await changing.read(at: 100_000, count: 10) }
        #expect(fault?.code == .gone)
    }

    @Test func `a server without ranges is read from anywhere, and asked once for what is read in order`() async throws {
        let file = try await open("/file?plain")

        #expect(file.length == 300_000 && file.hasRanges)
        #expect(try await all(of: file) == Self.content)
        #expect(try await servers.seen().requests.count == 1)
        #expect(try await all(of: file, from: 250_001) == Array(Self.content[250_001...]))
        #expect(try await servers.seen().requests.count == 2)
        #expect(try await file.read(at: 10, count: 10) == Array(Self.content[10..<20]))
    }

    @Test func `a stream without a length is read in order and from nowhere else`() async throws {
        let stream = try await open("/drips")

        #expect(stream.length == nil && !stream.hasRanges)
        #expect(await fault { _ = try await stream.read(at: 10, count: 10) }?.code == .unsupported)
        #expect(try await stream.read(at: 0, count: 1) == Array("x".utf8))
    }

    @Test func `a file that is not there, an end too early and a server that hangs are sentences`() async throws {
        #expect(await fault { _ = try await open("/nothing") }?.code == .notFound)
        let broken = try await open("/breaks")
        #expect(await fault { _ = try await all(of: broken) }?.code == .unavailable)
        var call = HTTPCall(.get, servers.url("/hang"), policy: .anywhere)
        call.limits.head = .milliseconds(200)
        let hanging = call
        #expect(await fault { _ = try await client.open(hanging) }?.code == .unavailable)
    }

    @Test func `a reader that took bytes before it was told of them waits for others`() async throws {
        try await onLoop {
            let exchange = Exchange(CurlLoop(mostCalls: 1, idle: .seconds(1), isQuiet: false))
            func bring(_ text: String) {
                let isTaken = Array(text.utf8).withUnsafeBytes { exchange.take($0) }
                #expect(isTaken)
            }
            bring("one")
            let first = try await exchange.next()
            #expect(first == Array("one".utf8))
            let other = Task(executorPreference: Loop.jobs) { try await exchange.next() }
            await untilQuiet()

            exchange.tell()
            await untilQuiet()
            bring("two")
            exchange.tell()

            let second = try await other.value
            #expect(second == Array("two".utf8))
        }
    }

    private func fault(_ body: () async throws -> Void) async -> SourceFault? {
        do { try await body() } catch {
            return error as? SourceFault
        }
        return nil
    }
}
