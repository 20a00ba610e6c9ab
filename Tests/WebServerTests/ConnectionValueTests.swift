import BatonSeams
import Testing

@testable import SocketServer

/// The values of which a connection is made: what was received, what is owed, and how long the peer has been silent.
@Suite struct ConnectionValueTests {
    private func bytes(_ text: String) -> RequestBytes {
        var bytes = RequestBytes()
        Array(text.utf8).withUnsafeBytes { bytes.append($0) }
        return bytes
    }

    @Test func `a head has a length once it is whole, and the next request stays behind it`() throws {
        var bytes = bytes("GET / HTTP/1.1\r\nhost: a\r\n")
        let early = try bytes.headLength()
        Array("\r\nGET".utf8).withUnsafeBytes { bytes.append($0) }
        let length = try bytes.headLength()

        #expect(early == nil && length == 27)
        bytes.drop(27)
        #expect(bytes.unread == Array("GET".utf8))
    }

    @Test func `a body takes no more bytes than it has room for`() {
        var bytes = bytes("abcdef"), body: [UInt8] = []
        bytes.move(atMost: 4, to: &body)
        #expect(body == Array("abcd".utf8) && bytes.unread == Array("ef".utf8))
        bytes.move(atMost: 4, to: &body)
        #expect(body == Array("abcdef".utf8) && bytes.isEmpty)
    }

    @Test func `a refused request is dropped up to its length, whatever comes with it`() {
        var bytes = bytes("abc")
        bytes.beginDiscarding(4)
        let first = bytes.discard()
        #expect(first == 3 && !bytes.isDiscarded && bytes.isEmpty)
        Array("defg".utf8).withUnsafeBytes { bytes.append($0) }
        let second = bytes.discard()
        #expect(second == 4 && bytes.isDiscarded && bytes.isEmpty)
    }

    @Test func `bytes are used once at a time`() {
        var bytes = RequestBytes()
        let begins = [bytes.beginUse(), bytes.beginUse()]
        bytes.endUse()
        let again = bytes.beginUse()
        #expect(begins == [true, false] && again)
    }

    @Test func `a silent peer is pinged once, and ends later`() {
        let patience = Patience(pingMs: 20, endMs: 45)
        var liveness = Liveness(atUs: 1_000)

        #expect(liveness.check(atUs: 20_999, within: patience) == .wait(untilUs: 21_000))
        #expect(liveness.check(atUs: 21_000, within: patience) == .ping(endUs: 46_000))
        liveness.pinged()
        #expect(liveness.check(atUs: 46_000, within: patience) == .wait(untilUs: 46_000))
        #expect(liveness.check(atUs: 46_001, within: patience) == .tooSilent)
        liveness.heard(atUs: 30_000)
        #expect(liveness.check(atUs: 46_001, within: patience) == .wait(untilUs: 50_000))
    }

    @Test func `a close frame has its code and at most 123 bytes of whole characters`() {
        var owed = OwedFrames()
        owed.oweClosing(4429, String(repeating: "é", count: 70))

        #expect(owed.closing == [0x11, 0x4D] + Array(String(repeating: "é", count: 61).utf8))
        owed.sentClosing()
        #expect(owed.closing == nil)
    }

    @Test func `of several pings the last one is answered`() {
        var owed = OwedFrames()
        owed.owePong([1])
        owed.owePong([2])
        #expect(owed.pong == [2])
        owed.sentPong()
        #expect(owed.pong == nil)
    }

    @Test func `bytes that were allowed do not count as too many`() {
        var drain = Drain()
        drain.allow(100)
        let tooMany = [drain.take(100, most: 10), drain.take(10, most: 10), drain.take(1, most: 10)]
        #expect(tooMany == [false, false, true])
    }
}
