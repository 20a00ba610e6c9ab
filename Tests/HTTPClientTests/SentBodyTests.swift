/// Bodies that are read while they are sent.
import BatonSeams
import Crypto
import Foundation
import Harness
import Synchronization
import Testing

@testable import HTTPClient

@Suite struct SentBodyTests {
    private let client = HTTPClient()
    private let servers: Servers

    init() throws { servers = try Servers() }

    /// So many bytes that follow from their place, and how many of them were read.
    private final class Content: ByteSource {
        let count: Int64
        let length: Int64?
        let fails: Int64
        let isRead = Atomic<Int64>(0)

        init(_ count: Int64, says length: Int64? = nil, failsAt fails: Int64 = .max) {
            self.count = count
            self.length = length
            self.fails = fails
        }

        var hasRanges: Bool { false }
        var version: ContentVersion? { nil }

        static func bytes(_ range: Range<Int64>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

        func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
            guard position < fails else { throw SourceFault(.cancelled, "The person has gone.") }
            let end = min(position + Int64(count), self.count)
            isRead.store(end, ordering: .relaxed)
            return Self.bytes(position..<end)
        }
    }

    private func put(_ path: String, _ content: any ByteSource) -> HTTPCall {
        var call = HTTPCall(.put, servers.url(path), headers: [.init("X-Own", "mine")], policy: .anywhere)
        call.content = content
        // Beside other tests the task that reads the content may wait long for its turn.
        call.limits.head = .seconds(300)
        call.limits.total = .seconds(300)
        return call
    }

    @Test(arguments: [Int64(0), 1, 70_000, 3_000_000]) func `a long body arrives whole, with a length and without`(count: Int64)
        async throws
    {
        let hash = OpenSSL().sha256(Content.bytes(0..<count)).map { String(format: "%02x", $0) }.joined()
        for length in [count, nil] {
            #expect(try await client.text(put("/takes", Content(count, says: length))) == hash)

            let request = try #require(try await servers.seen().requests.last)
            #expect(request.method == "PUT" && request.header("x-own") == "mine")
            #expect(request.header("content-length") == length.map { "\($0)" })
            #expect(request.header("transfer-encoding") == (length == nil ? "chunked" : nil))
        }
    }

    @Test func `a server that refuses a long body first gets none of it`() async throws {
        let content = Content(64 << 20, says: 64 << 20)

        let answer = try await client.call(put("/refuses", content))

        let said = String(decoding: try await answer.whole(), as: UTF8.self)
        #expect(answer.status == 413 && said == "too long")
        #expect(content.isRead.load(ordering: .relaxed) < 1 << 20)
    }

    @Test func `a server that answers in the midst of a body is heard, and one that goes is a sentence`() async throws {
        let answer = try await client.call(put("/stops", Content(1 << 40, says: 1 << 40)))
        #expect(answer.status == 507)

        let cut = try #require(await client.fault(put("/cuts", Content(1 << 40, says: 1 << 40))))
        #expect(cut.code == .unreachable && cut.sentence.hasSuffix("."))
    }

    @Test func `content that cannot be read on ends the call with its sentence`() async throws {
        let lost = await client.fault(put("/takes", Content(3_000_000, says: 3_000_000, failsAt: 1_000_000)))
        #expect(lost == HTTPCallFault(.cancelled, "The person has gone."))

        let short = await client.fault(put("/takes", Content(1_000_000, says: 3_000_000)))
        #expect(short == HTTPCallFault(.cancelled, "The file ended after 1000000 of 3000000 bytes."))
        try await until { client.activity.calls == 0 }
    }

    @Test func `a redirect takes a long body along before it has begun, to the same server only`() async throws {
        let content = Content(3_000_000, says: 3_000_000)
        let elsewhere = await client.fault(put("/to/307?\(servers.second("/takes"))", content))
        #expect(elsewhere?.code == .refused)

        let again = await client.fault(put("/to/307?/takes", Content(3_000_000, says: 3_000_000)))
        #expect(again?.code == .refused && again?.sentence.contains("once more") == true)
    }

    @Test func `no more of a body is read ahead than a few pieces`() async throws {
        let content = Content(8 << 20)
        let body = OutgoingBody(content) {}
        let reading = Task { await body.read() }
        var taken: Int64 = 0
        var room = [UInt8](repeating: 0, count: 16_384)
        while true {
            #expect(content.isRead.load(ordering: .relaxed) <= taken + 320 * 1024)
            let step = room.withUnsafeMutableBytes { body.take(into: $0) }
            if case .bytes(0) = step { break }
            if case .bytes(let count) = step { taken += Int64(count) } else { await Task.yield() }
        }
        #expect(taken == 8 << 20)
        await reading.value
    }

    @Test func `a body of which nothing more is wanted is not read on`() async throws {
        let content = Content(1 << 40)
        let body = OutgoingBody(content) {}
        let reading = Task { await body.read() }
        try await until { content.isRead.load(ordering: .relaxed) >= 256 * 1024 }

        body.stop()

        await reading.value
        #expect(content.isRead.load(ordering: .relaxed) < 1 << 20)
    }
}
