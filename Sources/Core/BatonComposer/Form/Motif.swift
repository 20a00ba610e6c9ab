/// One bar of melody, the theme of a piece.
///
/// Degrees are relative to the root of the current chord, so the motif fits every chord, key and instrument.
package struct Motif: Equatable, Sendable {
    package struct Tone: Equatable, Sendable {
        /// Scale steps above the root; `nil` is a rest.
        package var degree: Int?
        /// The length in sixteenths.
        package var steps: Int
    }

    package var tones: [Tone]

    package var steps: Int { tones.reduce(0) { $0 + $1.steps } }

    static let degrees = -4...12

    init(tones: [Tone]) { self.tones = tones }

    /// The text form with two characters a note: `a` is four steps below the root, `-` a rest; then the sixteenths as one digit of base 36.
    package var code: String {
        tones.map { tone in
            let degree = tone.degree.map { String(UnicodeScalar(UInt8($0 - Self.degrees.lowerBound) + UInt8(ascii: "a"))) } ?? "-"
            return degree + String(tone.steps, radix: 36)
        }.joined()
    }

    package init?(code: some StringProtocol) {
        let bytes = Array(code.utf8)
        guard !bytes.isEmpty, bytes.count % 2 == 0, bytes.count <= 40 else { return nil }
        var tones: [Tone] = []
        for at in stride(from: 0, to: bytes.count, by: 2) {
            let degree = bytes[at] == UInt8(ascii: "-") ? nil : Int(bytes[at]) - Int(UInt8(ascii: "a")) + Self.degrees.lowerBound
            if let degree, !Self.degrees.contains(degree) { return nil }
            guard let steps = Int(String(UnicodeScalar(bytes[at + 1])), radix: 36), steps > 0 else { return nil }
            tones.append(Tone(degree: degree, steps: steps))
        }
        guard tones.contains(where: { $0.degree != nil }) else { return nil }
        self.tones = tones
    }

    /// A random motif: chord notes on strong beats, and scale steps between them.
    static func made(of seed: UInt64, metre: Metre, energy: Int) -> Motif {
        var random = TopicRandom(seed, "motif")
        let lengths = rhythm(in: metre, energy: energy, random: &random)
        var tones: [Tone] = []
        var at = 0
        var degree = random.pick([0, 2, 4])
        for steps in lengths {
            if at > 0 { degree = next(after: degree, isStrong: metre.isStrong(at), &random) }
            tones.append(Tone(degree: degree, steps: steps))
            at += steps
        }
        // A single repeated note would not be recognised as a motif.
        if Set(tones.map(\.degree)).count < 2 { tones[tones.count - 1].degree = degree >= 4 ? degree - 2 : degree + 2 }
        return Motif(tones: tones)
    }

    private static func next(after degree: Int, isStrong: Bool, _ random: inout TopicRandom) -> Int {
        if isStrong {
            let near = [-3, 0, 2, 4, 7].filter { abs($0 - degree) <= 3 && $0 != degree }
            return random.pick(near.isEmpty ? [2] : near)
        }
        let moved = degree + random.pick([-1, -1, 1, 1, 2, -2, 0])
        return min(8, max(-2, moved))
    }

    /// The lengths of three to eight notes. Each beat is held on, struck once, or divided.
    private static func rhythm(in metre: Metre, energy: Int, random: inout TopicRandom) -> [Int] {
        let beat = metre.beatSteps
        var lengths: [Int] = []
        for number in 0..<metre.beats {
            let isLast = number == metre.beats - 1
            if number > 0, !isLast, !metre.isStrong(number * beat), lengths.last == beat, random.chance(55 - energy / 3) {
                lengths[lengths.count - 1] += beat
            } else if lengths.count < 6, random.chance(isLast ? 15 : 30 + energy / 3) {
                lengths += random.pick(beat == 6 ? [[2, 2, 2], [4, 2], [2, 4]] : [[2, 2], [2, 2], [3, 1]])
            } else {
                lengths.append(beat)
            }
        }
        while lengths.count < 3, let longest = lengths.indices.max(by: { lengths[$0] < lengths[$1] }), lengths[longest] >= 2 {
            let half = lengths[longest] / 2
            lengths.replaceSubrange(longest...longest, with: [lengths[longest] - half, half])
        }
        return lengths
    }
}
