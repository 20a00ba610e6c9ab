/// A set of hashes of fixed size, which may report hashes that it does not contain.
///
/// It always takes 64 KiB: one bit for each hash, selected by its last digits. With 50,000 hashes, nine of ten others are still recognised
/// as missing.
struct KeyFilter {
    private static let bits = 1 << 19
    private var words: [UInt64] = []

    mutating func insert(_ hash: Int) {
        if words.isEmpty { words = [UInt64](repeating: 0, count: Self.bits / 64) }
        let (word, bit) = Self.place(of: hash)
        words[word] |= bit
    }

    func contains(_ hash: Int) -> Bool {
        guard !words.isEmpty else { return false }
        let (word, bit) = Self.place(of: hash)
        return words[word] & bit != 0
    }

    var byteCount: Int { words.count * 8 }

    private static func place(of hash: Int) -> (word: Int, bit: UInt64) {
        let number = hash & (bits - 1)
        return (number >> 6, 1 << UInt64(number & 63))
    }
}
