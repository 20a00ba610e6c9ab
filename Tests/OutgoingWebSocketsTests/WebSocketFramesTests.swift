import BatonSeams
import Testing

@testable import EventLoop

/// The frames of a WebSocket as a value: what arrives in pieces, what waits to be sent, and how it closes.
@Suite struct WebSocketFramesTests {
    private func receive(
        _ text: String, toCome: Int = 0, isLast: Bool = true, into frames: inout WebSocketFrames
    ) -> WebSocketFrames.Arrival {
        Array(text.utf8).withUnsafeBytes { frames.receive($0, toCome: toCome, isLast: isLast) }
    }

    private func heardClose(_ payload: [UInt8], by frames: inout WebSocketFrames) {
        payload.withUnsafeBytes { frames.heardClose($0) }
    }

    @Test func `a message is whole with its last piece, and the next one begins empty`() {
        var frames = WebSocketFrames(messageLimit: 10)

        #expect(receive("ab", isLast: false, into: &frames) == .part)
        #expect(receive("cd", into: &frames) == .whole(Array("abcd".utf8)))
        #expect(receive("ef", into: &frames) == .whole(Array("ef".utf8)))
    }

    @Test func `a message that is too long is refused by the length of its frame`() {
        var frames = WebSocketFrames(messageLimit: 10)

        #expect(receive("abcd", toCome: 6, isLast: false, into: &frames) == .part)
        #expect(receive("e", toCome: 6, isLast: false, into: &frames) == .tooLong)
        #expect(receive("abcdefghij", into: &frames) == .whole(Array("abcdefghij".utf8)))
    }

    @Test func `messages are sent in their order, and counted until then`() {
        var frames = WebSocketFrames(messageLimit: 10)
        frames.add([1, 2, 3], isBinary: true)
        frames.add([4], isBinary: false)

        #expect(frames.unsentBytes == 4 && frames.wantsRoom)
        let (first, second, third) = (frames.takeNext(), frames.takeNext(), frames.takeNext())
        #expect(first.map { $0.isBinary && Array($0.bytes.dropFirst(Frame.headroom)) == [1, 2, 3] } == true)
        #expect(second.map { !$0.isBinary && Array($0.bytes.dropFirst(Frame.headroom)) == [4] } == true)
        #expect(third == nil && frames.unsentBytes == 0 && !frames.wantsRoom)
    }

    @Test func `a close of this side is owed once, with a reason that ends between two characters`() {
        var frames = WebSocketFrames(messageLimit: 10)

        #expect(frames.owedClose == nil)
        let closes = [frames.close(1001, String(repeating: "é", count: 70)), frames.close(1002, "Again.")]
        #expect(closes == [true, false])
        #expect(frames.owedClose?.code == 1001)
        #expect(frames.owedClose?.reason == Array(String(repeating: "é", count: 61).utf8))
        let ends = [frames.end(), frames.end()]
        #expect(ends == [true, false])
        #expect(frames.ending?.byPeer == false && frames.isClosing)
    }

    @Test(arguments: [([0x03, 0xE8, 0x68, 0x69], 1000, "hi"), ([], 1005, ""), ([0x03], 1005, "")] as [([UInt8], UInt16, String)])
    func `a close of the other side needs no answer from here`(payload: [UInt8], code: UInt16, reason: String) {
        var frames = WebSocketFrames(messageLimit: 10)
        heardClose(payload, by: &frames)
        heardClose([0x03, 0xE9], by: &frames)

        let closes = frames.close(1001, ""), ends = frames.end()
        #expect(frames.owedClose == nil && !closes && ends)
        #expect(frames.ending == WebSocketEnding(code: code, reason: reason, byPeer: true))
    }

    @Test func `a connection that ends without a close was lost`() async {
        var frames = WebSocketFrames(messageLimit: 10)
        frames.add([1], isBinary: true)

        let ends = frames.end(), next = frames.takeNext(), told = await withCheckedContinuation { frames.tellEnd($0) }
        #expect(ends && next == nil && frames.unsentBytes == 0)
        #expect(frames.ending == WebSocketEnding(code: 1006, reason: "The connection was lost.", byPeer: true))
        #expect(told == frames.ending)
    }
}
