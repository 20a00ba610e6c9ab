import BatonSeams
import Foundation
import Glibc
import SocketPeers
import Testing
import WebClient

@testable import EventLoop
@testable import SocketServer

/// Bodies that a route reads while they arrive.
@Suite(.loop) struct StreamedBodyTests {
    private static let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    /// All of it; `nil` when it broke off.
    @Loop
    private static func whole(_ request: HTTPRequest, _ piece: Int = 100_000) async -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            guard let next = try? await request.incoming?.read(at: Int64(bytes.count), count: piece) else { return nil }
            if next.isEmpty { return bytes }
            bytes += next
        }
    }

    /// A page at `/up` that says how much came.
    @Loop
    private static func countBytes(at host: SmallHub, most: Int64 = 8 << 20) {
        host.streams["/up"] = most
        host.pages["/up"] = { request in
            let came = await Self.whole(request)
            return .sentence(came == nil ? 400 : 200, came.map { "\($0.count)" } ?? request.incoming?.fault?.sentence ?? "")
        }
    }

    @Test(arguments: [0, 1, 70_000, 3_000_000]) @Loop func `a body arrives whole, with a length and in chunks`(count: Int) async throws {
        try await withHost { host, _, endpoint in
            var came: [[UInt8]] = []
            host.streams["/up"] = 4 << 20
            host.pages["/up"] = { request in
                if let bytes = await Self.whole(request), request.body.isEmpty { came.append(bytes) }
                return .sentence(200, "Thank you.")
            }
            let file = try temporaryPath("body")
            let body = Array(Self.body[..<count])
            try Data(body).write(to: URL(filePath: file))

            for headers in [["-H", "X-A: b"], ["-H", "Transfer-Encoding: chunked"]] {
                let answer = try await output(
                    of: "/usr/bin/curl",
                    ["-sS", "--max-time", "20", "-X", "POST", "--data-binary", "@\(file)"] + headers + ["http://\(endpoint)/up"])
                #expect(answer == "Thank you.\n")
            }
            #expect(came == [body, body])
        }
    }

    @Test @Loop func `a peer waits while its route does not read`() async throws {
        try await withHost { host, _, endpoint in
            host.streams["/up"] = 64 << 20
            var incoming: IncomingBody?
            var mayGoOn: CheckedContinuation<Void, Never>?
            host.pages["/up"] = { request in
                incoming = request.incoming
                _ = try? await request.incoming?.read(at: 0, count: 1)
                await withCheckedContinuation { mayGoOn = $0 }
                var count = 1
                while let next = try? await request.incoming?.read(at: Int64(count), count: 65_536), !next.isEmpty { count += next.count }
                return .sentence(200, "\(count)")
            }
            let peer = RawPeer(port: endpoint.port)
            try await peer.say("POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: \(32 << 20)\r\n\r\n")
            let sent = Sent()
            let sending = Task { [peer, sent] in
                let piece = [UInt8](repeating: 7, count: 1 << 20)
                for _ in 0..<32 {
                    try await peer.say(piece)
                    sent.count += 1
                }
            }
            #expect(await eventually { incoming?.isFull == true && mayGoOn != nil })
            // What the kernel holds of one connection is bounded; the peer has the rest.
            #expect(sent.count < 32)
            mayGoOn?.resume()
            _ = await sending.result
            #expect(try await peer.text(until: "\(32 << 20)\n").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Loop private final class Sent { var count = 0 }

    /// BT-HTTP-013
    @Test @Loop func `a peer that asks first sends nothing to a route that refuses, and goes on at the word of one that reads`()
        async throws
    {
        try await withHost { host, _, endpoint in
            host.streams["/no"] = 64 << 20
            host.pages["/no"] = { _ in .sentence(403, "Not you.") }
            Self.countBytes(at: host)
            let refused = RawPeer(port: endpoint.port)
            try await refused.say("POST /no HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n")
            let answer = try await refused.text(until: "Not you")
            #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.contains("connection: close"))

            let taken = RawPeer(port: endpoint.port)
            try await taken.say("POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await taken.text(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await taken.say("abcde")
            #expect(try await taken.text(until: "5\n").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test @Loop func `a route that wants no more answers before the end`() async throws {
        try await withHost { host, _, endpoint in
            host.streams["/up"] = 64 << 20
            host.pages["/up"] = { _ in .sentence(403, "Not you.") }
            let peer = RawPeer(port: endpoint.port)
            try await peer.say("POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc")
            #expect(try await peer.text(until: "Not you").hasPrefix("HTTP/1.1 403 "))
        }
    }

    @Test @Loop func `a route notices that its peer has gone`() async throws {
        try await withHost { host, _, endpoint in
            host.streams["/up"] = 64 << 20
            var ends: [SourceFault.Code?] = []
            host.pages["/up"] = { request in
                if await Self.whole(request) == nil { ends.append(request.incoming?.fault?.code) }
                return .sentence(200, "")
            }
            var peer: RawPeer? = RawPeer(port: endpoint.port)
            try await peer?.say("POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc")
            #expect(await eventually { !host.requests.isEmpty })
            peer = nil
            #expect(await eventually { ends == [.cancelled] })
        }
    }

    @Test @Loop func `a peer that stops in the midst of a body is cut`() async throws {
        var limits = Server.Limits()
        limits.bodyPause = .milliseconds(200)
        try await withHost(limits) { host, _, endpoint in
            Self.countBytes(at: host)
            let peer = RawPeer(port: endpoint.port)
            try await peer.say("POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc")
            #expect(try await peer.hear(count: 1).isEmpty)
        }
    }

    @Test @Loop func `a body over the limit is refused, before it comes or when it has become too long`() async throws {
        try await withHost { host, _, endpoint in
            Self.countBytes(at: host, most: 1000)
            let peer = RawPeer(port: endpoint.port)
            try await peer.say("POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n")
            #expect(try await peer.text(until: "at most 1000").hasPrefix("HTTP/1.1 413 "))
            #expect(host.requests.isEmpty)

            let chunked = RawPeer(port: endpoint.port)
            let piece = String(repeating: "x", count: 501)
            try await chunked.say(
                "POST /up HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1f5\r\n\(piece)\r\n1f5\r\n\(piece)\r\n0\r\n\r\n")
            #expect(try await chunked.text(until: "at most 1000").hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test @Loop func `the next request on a connection begins where a body ends`() async throws {
        try await withHost { host, _, endpoint in
            Self.countBytes(at: host)
            let peer = RawPeer(port: endpoint.port)
            try await peer.say(
                "POST /up HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                    + "POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nabcd" + "GET /last HTTP/1.1\r\nHost: x\r\n\r\n")
            let answers = try await peer.text(until: "no page /last")
            #expect(answers.contains("\r\n\r\n3\n") && answers.contains("\r\n\r\n4\n"))
        }
    }

    /// BT-HTTP-014, RFC 9112, 6.3: where a body ends must not be open to two readings.
    @Test(arguments: [
        "Transfer-Encoding: chunked\r\nContent-Length: 5", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: identity", "Transfer-Encoding: xchunked",
        "Content-Length: 5\r\nContent-Length: 5", "Content-Length: +5", "Content-Length: 5, 5", "Content-Length: 0x5", "Content-Length:",
    ])
    @Loop func `a body that could be read in two ways is refused, and nothing behind it is read`(headers: String) async throws {
        try await withHost { host, _, endpoint in
            Self.countBytes(at: host)
            let peer = RawPeer(port: endpoint.port)
            try await peer.say("POST /up HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = try await peer.text(until: "never said")
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && !answer.contains("smuggled"))
            #expect(host.requests.isEmpty)
        }
    }

    /// BT-HTTP-014
    @Test(arguments: [
        "5;a=b\r\nabcde\r\n0\r\n\r\n", "5\nabcde\r\n0\r\n\r\n", "5 \r\nabcde\r\n0\r\n\r\n", " 5\r\nabcde\r\n0\r\n\r\n", "\r\n",
        "-5\r\nabcde\r\n0\r\n\r\n", "5\r\nabcdefg\r\n0\r\n\r\n", "0\r\nX: y\r\n\r\n", "00000000000005\r\nabcde\r\n0\r\n\r\n",
        "5\r\nabcde0\r\n\r\n",
    ])
    @Loop func `a chunk that could be read in two ways ends the connection`(chunks: String) async throws {
        try await withHost { host, _, endpoint in
            Self.countBytes(at: host)
            let peer = RawPeer(port: endpoint.port)
            try await peer.say(
                "POST /up HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = try await peer.text(until: "never said")
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("chunk") && !answer.contains("smuggled"))
            #expect(host.requests.map(\.path) == ["/up"])
        }
    }

    @Test @Loop func `chunks are the same bytes however they are cut`() throws {
        let text = Array("3\r\nabc\r\nA\r\n0123456789\r\n000\r\n\r\nGET".utf8)
        for cut in 1...text.count {
            var reader = ChunkReader()
            var body: [UInt8] = []
            var rest: [UInt8] = []
            for start in stride(from: 0, to: text.count, by: cut) {
                var piece = text[start..<min(start + cut, text.count)]
                body += try reader.take(&piece)
                rest += piece
            }
            #expect(body == Array("abc0123456789".utf8) && rest == Array("GET".utf8) && reader.isDone, "cut into \(cut)")
        }
    }
}
