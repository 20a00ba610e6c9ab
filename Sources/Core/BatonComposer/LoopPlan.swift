/// The repetitions of loops of different lengths until all of them end at the same time.
///
/// Lengths come from files, which have whole frames. So two loops of the same tempo may differ by a frame from the ratio of their bars. The rounds of
/// such a loop are shifted by at most a frame, which keeps the mix in time however often it repeats.
package struct LoopPlan: Equatable, Sendable {
    /// The length of the mix, after which it repeats.
    package let frames: Int
    /// Number of rounds of each loop in the mix.
    package let counts: [Int]
    private let lengths: [Int]
    /// True when the longest possible mix is too short for all loops to end together. Each loop then keeps its own length, and is cut at the end.
    package let isCut: Bool

    /// Maximum length; longer mixes would need more memory than a job has.
    package static let longestS = 180

    /// `nil` without loops, for a length that is not positive, and for a loop longer than `most`.
    package init?(_ lengths: [Int], most: Int) {
        guard let longest = lengths.max(), lengths.allSatisfy({ $0 > 0 }), longest <= most else { return nil }
        self.lengths = lengths
        let whole = (1...most / longest).lazy.map { $0 * longest }.first { Self.fits($0, lengths) }
        isCut = whole == nil
        let frames = whole ?? longest
        self.frames = frames
        counts = lengths.map { whole == nil ? (frames + $0 - 1) / $0 : Self.rounds(frames, $0) }
    }

    /// The first frame of a round; for the round after the last it is the end of the mix.
    package func start(of round: Int, of loop: Int) -> Int { isCut ? min(frames, round * lengths[loop]) : round * frames / counts[loop] }

    private static func rounds(_ whole: Int, _ length: Int) -> Int { (whole + length / 2) / length }

    /// True when each loop ends with the mix, within a frame for each of its rounds.
    private static func fits(_ whole: Int, _ lengths: [Int]) -> Bool {
        lengths.allSatisfy { length in
            let count = rounds(whole, length)
            return abs(whole - count * length) <= count
        }
    }
}
