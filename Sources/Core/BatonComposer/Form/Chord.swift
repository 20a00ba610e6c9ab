/// A chord on a degree of the scale.
struct Chord: Equatable, Sendable {
    /// The degree of the root, 0 to 6.
    var root: Int
    /// True for the chord on the fifth degree before a tonic; in minor its third is major.
    var isDominant = false
    var hasSeventh = false

    /// The degrees of the chord in the scale, from the root up.
    var degrees: [Int] { [root, root + 2, root + 4] + (hasSeventh ? [root + 6] : []) }

    /// The MIDI note of a degree while this chord sounds.
    func pitch(_ degree: Int, in key: Key, above base: Int) -> Int {
        key.pitch(degree, above: base) + (raises(degree, in: key) ? 1 : 0)
    }

    /// True for the seventh degree of minor in a dominant: it leads to the tonic only when it is a semitone below it.
    private func raises(_ degree: Int, in key: Key) -> Bool {
        isDominant && key.mode == .minor && ((degree % 7) + 7) % 7 == 6
    }

    /// The notes of the chord as semitones above C, from the root up.
    func tones(in key: Key) -> [Int] { degrees.map { pitch($0, in: key, above: 0) % 12 } }

    func holds(_ degree: Int) -> Bool { degrees.contains { ($0 - degree) % 7 == 0 } }
}
