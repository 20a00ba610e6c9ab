/// Random numbers from a seed, so that random choices can be repeated.
///
/// SplitMix64: every seed is good, including 0 and consecutive ones. Not for secrets.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator whose numbers follow from this seed alone.
    package init(_ seed: UInt64) { state = seed }

    /// The next 64 random bits; the sequence repeats itself after 2^64 numbers.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
