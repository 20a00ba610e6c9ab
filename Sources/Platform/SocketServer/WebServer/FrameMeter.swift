import BatonCore
import BatonSeams

/// A rate limit for the frames of one peer.
///
/// A value; the time is an argument. A frame of any kind costs one unit. Bytes and reads cost parts of one, so that long messages and
/// messages that arrive byte by byte count too. When no units are left, the connection is not read until a quarter of a second's worth is
/// available again; the bytes stay with the sender. Units that had to wait are counted, and a peer that continues to send too fast is
/// disconnected.
struct FrameMeter: Equatable {
    enum Verdict: Equatable {
        case goOn
        /// Stop reading for this time.
        case pause(us: Microseconds)
        case close
    }

    /// Costs in millionths of a unit: one unit for 8 KiB, and one for 32 reads. A client that sends the longest commands as fast as they
    /// are accepted stays below the default allowance.
    private static let frame: Int64 = 1_000_000
    private static let byte: Int64 = frame / 8_192
    private static let read: Int64 = frame / 32

    let allowance: FrameAllowance
    private var units: Int64
    private var chargedUs: Microseconds
    /// True if the bytes that are read now arrived before the end of the pause.
    private var isLate = false
    private var late: Int64 = 0
    private var lateSinceUs: Microseconds

    init(_ allowance: FrameAllowance, atUs nowUs: Microseconds) {
        self.allowance = allowance
        units = Int64(allowance.burst) * Self.frame
        chargedUs = nowUs
        lateSinceUs = nowUs
    }

    /// Charges one read. `moreWaits` tells whether the peer has sent more; it is evaluated only after a pause.
    mutating func charge(frames: Int, bytes: Int, atUs nowUs: Microseconds, moreWaits: @autoclosure () -> Bool) -> Verdict {
        refill(atUs: nowUs)
        let cost = Int64(frames) * Self.frame + Int64(bytes) * Self.byte + Self.read
        units -= cost
        if isLate {
            if isTooLate(cost, atUs: nowUs) { return .close }
            isLate = moreWaits()
        }
        guard units <= 0 else { return .goOn }
        isLate = true
        let quarter = max(Self.frame, Int64(allowance.perSecond) * Self.frame / 4)
        return .pause(us: Microseconds(count: (quarter - units) / Int64(allowance.perSecond)))
    }

    private mutating func refill(atUs nowUs: Microseconds) {
        // An hour fills any bucket, and does not overflow.
        let passed = min(max(0, nowUs - chargedUs), 3_600_000_000).count
        chargedUs = nowUs
        units = min(Int64(allowance.burst) * Self.frame, units + passed * Int64(allowance.perSecond))
    }

    private mutating func isTooLate(_ cost: Int64, atUs nowUs: Microseconds) -> Bool {
        if nowUs - lateSinceUs > allowance.windowUs {
            lateSinceUs = nowUs
            late = 0
        }
        late += cost
        return late > Int64(allowance.late) * Self.frame
    }
}
