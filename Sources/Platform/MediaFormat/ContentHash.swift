import BatonReading
import CFFmpeg

/// libavutil's 128-bit hash. Its state lives for one hash.
@safe struct ContentHash: ~Copyable {
    private let state: OpaquePointer

    init() {
        guard let state = unsafe av_murmur3_alloc() else { preconditionFailure("There is no memory for the state of a hash.") }
        unsafe self.state = unsafe state
        unsafe av_murmur3_init(state)
    }

    deinit { unsafe av_free(UnsafeMutableRawPointer(state)) }

    func add(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe av_murmur3_update(state, bytes.baseAddress, bytes.count) }

    func add(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBufferPointer { unsafe add($0) } }

    consuming func result() -> FileFacts.Content {
        var sum = [UInt8](repeating: 0, count: 16)
        unsafe av_murmur3_final(state, &sum)
        func word(_ from: Int) -> UInt64 { sum[from..<from + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        return FileFacts.Content(high: word(0), low: word(8))
    }

    private static let piece = 16_384

    /// A fingerprint of a file's content: its size, and pieces at a quarter, at the half and at three quarters.
    /// Tags are at the ends, so editing them keeps the fingerprint, and large files need not be read completely.
    static func of(_ file: OpenFile) -> FileFacts.Content {
        let hash = ContentHash()
        hash.add((0..<8).map { UInt8(truncatingIfNeeded: file.size >> (8 * $0)) })
        if file.size <= 3 * piece {
            hash.add(file.bytes(at: 0, most: 3 * piece))
        } else {
            for quarter in 1...3 as ClosedRange<Int64> {
                hash.add(file.bytes(at: file.size / 4 * quarter - Int64(piece / 2), most: piece))
            }
        }
        return hash.result()
    }
}
