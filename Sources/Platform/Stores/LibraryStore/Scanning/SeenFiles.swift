import BatonSeams

/// The files that the current scan has seen. They are only in memory: after a crash the scan checks every folder again, and a rescan
/// without changes writes nothing.
struct SeenFiles {
    var scan: ScanID?
    private var bits: [UInt64] = []

    mutating func begin(_ scan: ScanID) {
        guard self.scan != scan else { return }
        self.scan = scan
        bits = []
    }

    mutating func insert(_ file: FileID) {
        let word = Int(file.number >> 6)
        if word >= bits.count { bits += Array(repeating: 0, count: word + 64 - bits.count) }
        bits[word] |= 1 << UInt64(file.number & 63)
    }

    func contains(_ file: FileID) -> Bool {
        let word = Int(file.number >> 6)
        return word < bits.count && bits[word] & (1 << UInt64(file.number & 63)) != 0
    }
}
