import BatonSeams
import Foundation
import Glibc
import SocketPeers
import Testing

@testable import SocketServer

/// Peers that send without end: each is slowed down, closed, and not read any more. BT-LIM-011 BT-LIM-012
@Suite(.loop) struct FloodTests {
    /// A small measure, so that a flood is short; the bytes are far more than the kernel keeps.
    private static var limits: Server.Limits {
        var limits = Server.Limits()
        limits.allowance = FrameAllowance(perSecond: 2_000, burst: 100, late: 200, windowMs: 10_000)
        limits.closingTime = .seconds(3)
        limits.closingBytes = 16_384
        return limits
    }
    private static let flood = 64 << 20
    /// What the kernel holds for both sides of one connection, at the most.
    private static let kernel = 20 << 20

    private static let kinds: [(String, [UInt8])] = [
        ("ping", RawPeer.frame([], opcode: 9)),
        ("long ping", RawPeer.frame([UInt8](repeating: 65, count: 125), opcode: 9)),
        ("pong", RawPeer.frame([], opcode: 10)),
        ("text", RawPeer.frame([])),
        ("binary", RawPeer.frame([1, 2, 3], opcode: 2)),
        ("long binary", RawPeer.frame([UInt8](repeating: 1, count: 4_000), opcode: 2)),
        ("cancel", RawPeer.frame(Array(#"{"t":"cancel","id":7}"#.utf8))),
    ]

    /// Whether the close frame with this code is in what was heard.
    private static func isClosed(_ heard: [UInt8], with code: UInt16) -> Bool {
        heard.indices.dropLast(3).contains {
            heard[$0] == 0x88 && heard[$0 + 2] == UInt8(code >> 8) && heard[$0 + 3] == UInt8(code & 255)
        }
    }

    @Test(arguments: kinds.indices) @Loop func `frames of every kind are counted, and their flood is closed with 4429`(index: Int)
        async throws
    {
        let (kind, frame) = Self.kinds[index]
        try await withHost(Self.limits) { host, server, endpoint in
            host.echoes = false
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            let hearing = Task { try await peer.hear() }
            let began = ContinuousClock.now

            let sent = try await peer.pour(frame, atMost: Self.flood)

            #expect(Self.isClosed(try await hearing.value, with: 4429), "\(kind)")
            let taken = (host.guests.first?.texts.count ?? 0) + (host.guests.first?.binaries.count ?? 0)
            // Long messages that were due are many bytes where the flood lasts for seconds, as on a busy machine.
            #expect(sent < Self.kernel + taken * frame.count, "\(kind): \(sent) bytes left the peer")
            // The burst, what is read late, what comes due while the flood lasts, and two reads that were under way.
            let due = Int(2_000 * ((ContinuousClock.now - began) / .seconds(1)))
            #expect(taken <= 100 + 200 + due + 2 * 1_024 / 6)
            #expect(await eventually { host.guests.first?.closed == 1 && server.connectionCount == 0 })
        }
    }

    @Test @Loop func `a message of empty pieces is counted piece by piece`() async throws {
        try await withHost(Self.limits) { host, _, endpoint in
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            try await peer.say(RawPeer.frame([65], isFinal: false))
            let hearing = Task { try await peer.hear() }

            let sent = try await peer.pour(RawPeer.frame([], opcode: 0, isFinal: false), atMost: Self.flood)

            #expect(Self.isClosed(try await hearing.value, with: 4429))
            #expect(sent < Self.kernel)
            #expect(host.guests.first?.texts == [])
        }
    }

    @Test @Loop func `more at once than may be is read late, all of it and in its order`() async throws {
        try await withHost(Self.limits) { host, _, endpoint in
            host.echoes = false
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            let texts = (0..<250).map(String.init)

            try await peer.say(texts.flatMap { RawPeer.frame(Array($0.utf8)) })

            #expect(await eventually { host.guests.first?.texts.count == 250 })
            #expect(host.guests.first?.texts == texts && host.guests.first?.closed == 0)
        }
    }

    @Test @Loop func `of pings that come together the last one is answered`() async throws {
        try await withHost { _, _, endpoint in
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            try await peer.say((1...100).flatMap { RawPeer.frame(Array("ping \($0).".utf8), opcode: 9) })

            let heard = try await peer.text(until: "ping 100.")

            #expect(heard.split(separator: ".").count < 100)
        }
    }

    // MARK: After the end

    @Test @Loop func `behind a message that is too long next to nothing is read`() async throws {
        try await withHost(Self.limits) { host, server, endpoint in
            let peer = try await RawPeer.upgraded(port: endpoint.port)
            let hearing = Task { try await peer.hear() }
            // A terabyte is announced.
            try await peer.say([0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4])

            let sent = try await peer.pour([UInt8](repeating: 65, count: 4_096), atMost: Self.flood)

            #expect(Self.isClosed(try await hearing.value, with: 1009))
            #expect(sent < Self.kernel, "\(sent) bytes left the peer")
            #expect(await eventually { server.connectionCount == 0 && host.guests.first?.closed == 1 })
        }
    }

    @Test @Loop func `behind a close of the hub's own next to nothing is read, and the peer's close frame still counts`() async throws {
        try await withHost(Self.limits) { host, server, endpoint in
            let deaf = try await RawPeer.upgraded(port: endpoint.port)
            host.guests[0].link?.close(4400, "Enough.")
            let sent = try await deaf.pour(RawPeer.frame([UInt8](repeating: 65, count: 1_000)), atMost: Self.flood)
            #expect(sent < Self.kernel)
            #expect(host.guests[0].texts == [])
            #expect(await eventually { server.connectionCount == 0 })
        }
        var patient = Self.limits
        patient.closingTime = .seconds(60)
        try await withHost(patient) { host, server, endpoint in
            let polite = try await RawPeer.upgraded(port: endpoint.port)
            host.guests[0].link?.close(4400, "Enough.")
            try await polite.say(RawPeer.frame([UInt8](repeating: 65, count: 9_000)) + RawPeer.frame([0x11, 0x30], opcode: 8))
            // Far sooner than the time that a closing may take.
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    /// What the peer has not read fills the pipe, so the close frame has to wait for room in it.
    @Test(arguments: 0..<12) @Loop func `a peer that reads only afterwards still finds the close frame behind all that was sent`(
        round: Int
    ) async throws {
        var patient = Self.limits
        patient.closingTime = .seconds(60)
        try await withHost(patient) { host, _, endpoint in
            host.echoes = false
            let late = try await RawPeer.upgraded(port: endpoint.port)
            let link = try #require(host.guests[0].link)
            // In half of the rounds the pipe has room.
            let answer = Frame(payload: [UInt8](repeating: 65, count: 50_000))
            var written = 0
            while link.isReady, written < (round % 2 == 0 ? 1_000 : 1) {
                link.write(answer)
                written += 1
            }
            #expect(link.isReady == (round % 2 == 1))
            if round % 3 == 0 {
                link.close(4429, "Too many commands.")
            } else {
                host.onMessage = { link.close(4429, "Too many commands.") }
            }
            // More than is read after the end, and less than the kernel holds, so that all of it can be sent without reading.
            _ = try await late.pour(RawPeer.frame([UInt8](repeating: 65, count: 100)), atMost: 200_000)
            #expect(await eventually { host.guests[0].link?.isReady != true })

            let heard = try await late.hear()

            #expect(heard.count >= written * 50_000 && Self.isClosed(Array(heard.suffix(60)), with: 4429), "\(written) frames")
        }
    }

    @Test @Loop func `of a body that was refused next to nothing is read`() async throws {
        try await withHost(Self.limits) { host, server, endpoint in
            let peer = RawPeer(port: endpoint.port)
            try await peer.say("POST /p HTTP/1.1\r\nHost: localhost\r\nContent-Length: 600000000\r\n\r\n")
            let hearing = Task { try await peer.text() }

            let sent = try await peer.pour([UInt8](repeating: 65, count: 4_096), atMost: Self.flood)

            #expect(try await hearing.value.hasPrefix("HTTP/1.1 413"))
            #expect(sent < Self.kernel, "\(sent) bytes left the peer")
            #expect(host.requests.isEmpty)
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test @Loop func `a header without end is not read to its end`() async throws {
        try await withHost(Self.limits) { _, server, endpoint in
            let peer = RawPeer(port: endpoint.port)
            try await peer.say("GET /p HTTP/1.1\r\nHost: localhost\r\nX-Long: ")

            let sent = try await peer.pour([UInt8](repeating: 65, count: 4_096), atMost: Self.flood)

            #expect(sent < Self.kernel, "\(sent) bytes left the peer")
            #expect(await eventually { server.connectionCount == 0 })
        }
    }
}

extension RawPeer {
    /// Sends the same bytes again and again until the other side takes no more; how many bytes left.
    func pour(_ bytes: [UInt8], atMost most: Int) async throws -> Int {
        let many = (0..<max(1, 65_536 / bytes.count)).flatMap { _ in bytes }
        return try await blocking { [self] in
            var sent = 0
            while sent < most {
                let count = sendOnce(many, from: sent % many.count)
                if count <= 0 { break }
                sent += count
            }
            return sent
        }
    }
}
