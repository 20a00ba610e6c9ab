import BatonSeams

/// How much one peer has sent lately, against what it may send.
///
/// A value; the time is an argument. A frame of any kind costs one unit. Bytes and reads cost parts of
/// one, so that long messages and messages that come byte by byte count too. When the units are used up
/// the connection is not read until a quarter of a second's worth is there again, which leaves the bytes
/// with their sender. Units that had to wait so are counted: a peer that sends on regardless is closed.
struct FrameMeter: Equatable {
    enum Verdict: Equatable {
        case goOn
        /// Read nothing for this long.
        case pause(us: Int64)
        case close
    }

    /// In millionths of a unit: 8 KiB are one, and 32 reads are one. A client that sends the longest
    /// commands as fast as commands are taken stays below the default allowance.
    private static let frame: Int64 = 1_000_000
    private static let byte: Int64 = frame / 8_192
    private static let read: Int64 = frame / 32

    let allowance: FrameAllowance
    private var units: Int64
    private var chargedUs: Int64
    /// What is read now was there before the pause was over.
    private var isLate = false
    private var late: Int64 = 0
    private var lateSinceUs: Int64

    init(_ allowance: FrameAllowance, atUs nowUs: Int64) {
        self.allowance = allowance
        units = Int64(allowance.burst) * Self.frame
        chargedUs = nowUs
        lateSinceUs = nowUs
    }

    /// Charges one read. `moreWaits` says whether the peer has sent more than that; it is only asked
    /// after a pause.
    mutating func charge(frames: Int, bytes: Int, atUs nowUs: Int64, moreWaits: @autoclosure () -> Bool) -> Verdict {
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
        return .pause(us: (quarter - units) / Int64(allowance.perSecond))
    }

    private mutating func refill(atUs nowUs: Int64) {
        // An hour fills any bucket there can be, and does not overflow.
        let passed = min(max(0, nowUs - chargedUs), 3_600_000_000)
        chargedUs = nowUs
        units = min(Int64(allowance.burst) * Self.frame, units + passed * Int64(allowance.perSecond))
    }

    private mutating func isTooLate(_ cost: Int64, atUs nowUs: Int64) -> Bool {
        if nowUs - lateSinceUs > Int64(allowance.windowMs) * 1_000 {
            lateSinceUs = nowUs
            late = 0
        }
        late += cost
        return late > Int64(allowance.late) * Self.frame
    }
}
