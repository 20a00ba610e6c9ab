/// How loops of different lengths go round together until all of them begin anew at once.
///
/// Lengths are those of files. Two loops of the same tempo may differ by a frame from the ratio of their bars, because a file has whole
/// frames; the rounds of such a loop are moved by a frame at most, so that the whole stays in time however often it repeats.
package struct LoopPlan: Equatable, Sendable {
    /// Of the whole, until it repeats.
    package let frames: Int
    /// How often each loop is heard in it.
    package let counts: [Int]
    private let lengths: [Int]
    /// The whole is too short for all of them to end together. Each then keeps its own length, and is cut where the whole ends.
    package let isCut: Bool

    /// Longer ones would need more memory than a job has.
    package static let longestS = 180

    /// `nil` without loops, and for lengths that are none.
    package init?(_ lengths: [Int], most: Int) {
        guard let longest = lengths.max(), lengths.allSatisfy({ $0 > 0 }), longest <= most else { return nil }
        self.lengths = lengths
        let whole = (1...most / longest).lazy.map { $0 * longest }.first { Self.fits($0, lengths) }
        isCut = whole == nil
        let frames = whole ?? longest
        self.frames = frames
        counts = lengths.map { whole == nil ? (frames + $0 - 1) / $0 : Self.rounds(frames, $0) }
    }

    /// The first frame of a round; that of the round behind the last is the end of the whole.
    package func start(of round: Int, of loop: Int) -> Int { isCut ? min(frames, round * lengths[loop]) : round * frames / counts[loop] }

    private static func rounds(_ whole: Int, _ length: Int) -> Int { (whole + length / 2) / length }

    /// Whether each loop ends where the whole does, by a frame in each of its rounds.
    private static func fits(_ whole: Int, _ lengths: [Int]) -> Bool {
        lengths.allSatisfy { length in
            let count = rounds(whole, length)
            return abs(whole - count * length) <= count
        }
    }
}
