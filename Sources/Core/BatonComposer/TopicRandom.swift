import BatonCore

/// Random choices for one topic of a piece.
///
/// Each topic (the drums, the answer of the melody) has its own generator, seeded by the piece's seed and the topic's name. So a change in one topic
/// leaves all others as they were.
struct TopicRandom {
    private var generator: SeededGenerator

    init(_ seed: UInt64, _ topic: String) {
        generator = SeededGenerator(Self.mix(seed, Self.hash(topic.utf8)))
    }

    /// A number from 0 up to, but not including, `count`.
    mutating func below(_ count: Int) -> Int { Int(generator.next() % UInt64(max(1, count))) }

    mutating func number(in range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

    /// True in `percent` of a hundred cases.
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func seed() -> UInt64 { generator.next() }

    /// FNV-1a, which is the same on every machine, unlike Swift's own hash.
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
        var generator = SeededGenerator(first ^ (second &* 0x9E37_79B9_7F4A_7C15))
        return generator.next()
    }
}
