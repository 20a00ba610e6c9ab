import BatonCore
import BatonSeams
import Testing

@testable import SocketServer

/// What a peer may send, and what becomes of one that sends more.
struct FrameMeterTests {
    private static let usual = FrameAllowance(perSecond: 100, burst: 500, late: 200, windowMs: 10_000)

    /// A peer whose frames wait in the kernel while it is not read, as the connection sees it.
    private struct Peer {
        var meter = FrameMeter(usual, atUs: 0)
        var nowUs: Microseconds = 0
        var taken = 0
        var pauses = 0
        var isClosed = false

        /// Sends `count` frames at once, of which each read brings `atOnce`; gives up when it is closed.
        mutating func send(_ count: Int, bytesEach: Int = 6, atOnce: Int = 1) {
            var left = count
            while left > 0, !isClosed {
                let read = min(atOnce, left)
                left -= read
                taken += read
                switch meter.charge(frames: read, bytes: read * bytesEach, atUs: nowUs, moreWaits: left > 0) {
                case .goOn: break
                case .pause(let us):
                    pauses += 1
                    nowUs += us
                case .close: isClosed = true
                }
            }
        }

        mutating func pass(ms: Milliseconds) { nowUs += Microseconds(ms) }
    }

    @Test func `ordinary use never comes near: an hour of the most commands, long ones among them, with all that goes along`() {
        var peer = Peer()
        for tenth in 0..<36_000 {
            // Two commands of eight kilobytes on average in sixteen reads, a pong, a question for the time, a ping.
            peer.send(2, bytesEach: 8_192)
            for _ in 0..<14 { _ = peer.meter.charge(frames: 0, bytes: 0, atUs: peer.nowUs, moreWaits: false) }
            if tenth % 30 == 0 { peer.send(3) }
            peer.pass(ms: 100)
        }
        #expect(peer.pauses == 0 && !peer.isClosed)
    }

    @Test(arguments: [1, 10, 170]) func `who sends on without end is slowed down and then closed`(atOnce: Int) {
        var peer = Peer()
        peer.send(1_000_000, atOnce: atOnce)

        #expect(peer.isClosed)
        #expect(peer.pauses > 0)
        #expect((650...(700 + 2 * atOnce + 25)).contains(peer.taken))
        #expect(peer.nowUs < 10_000_000)
    }

    @Test func `one burst beyond the measure is read late and forgiven, again and again`() {
        var peer = Peer()
        for _ in 0..<20 {
            peer.send(650)
            peer.pass(ms: 10_000)
        }
        #expect(!peer.isClosed && peer.taken == 13_000)
        #expect(peer.pauses > 20)
    }

    @Test func `who waits until there is room is never closed, however little there is`() {
        var peer = Peer()
        peer.send(500)
        for _ in 0..<10_000 {
            peer.pass(ms: 11)
            peer.send(1)
        }
        #expect(!peer.isClosed && peer.taken == 10_500)
    }

    @Test func `bytes count without a frame that ends, and so do reads of one byte`() {
        var long = Peer()
        long.send(1_000_000, bytesEach: 16_384)
        #expect(long.isClosed && long.taken < 300)

        var meter = FrameMeter(Self.usual, atUs: 0)
        var reads = 0
        var nowUs: Microseconds = 0
        reading: while reads < 1_000_000 {
            reads += 1
            switch meter.charge(frames: 0, bytes: 1, atUs: nowUs, moreWaits: true) {
            case .goOn: break
            case .pause(let us): nowUs += us
            case .close: break reading
            }
        }
        #expect(reads < 700 * 32 + 1_000)
    }

    @Test func `a pause lasts until a quarter of a second's worth is there`() {
        var meter = FrameMeter(Self.usual, atUs: 0)

        #expect(meter.charge(frames: 499, bytes: 0, atUs: 0, moreWaits: false) == .goOn)
        // One and a part of one too many, and twenty-five to come.
        guard case .pause(let us) = meter.charge(frames: 2, bytes: 0, atUs: 0, moreWaits: false) else {
            return #expect(Bool(false), "not paused")
        }
        #expect((260_000...261_000).contains(us))
    }

    @Test func `a clock that stands or goes back frees nothing, and a long silence fills the bucket only once`() {
        var meter = FrameMeter(Self.usual, atUs: 1_000_000)
        #expect(meter.charge(frames: 499, bytes: 0, atUs: 0, moreWaits: false) == .goOn)
        #expect(meter.charge(frames: 10, bytes: 0, atUs: 0, moreWaits: false) != .goOn)
        #expect(meter.charge(frames: 100, bytes: 0, atUs: .max / 2, moreWaits: false) == .goOn)
        #expect(meter.charge(frames: 399, bytes: 0, atUs: .max / 2, moreWaits: false) == .goOn)
        #expect(meter.charge(frames: 2, bytes: 0, atUs: .max / 2, moreWaits: false) != .goOn)
    }
}
