/// Separates ICY metadata from a stream's sound. After every `metaint` bytes of sound follow a byte with the block's
/// length in units of 16 bytes, and the block. A value that accepts pieces of any size.
struct ICYSplitter: Equatable {
    /// A metadata block with its position in the sound, counted from the start of the connection.
    struct Block: Equatable {
        var at: Int64
        var bytes: [UInt8]
    }

    /// The largest length that one byte can encode.
    static let mostBytes = 255 * 16

    private let interval: Int
    /// Bytes of sound before the next length byte.
    private var sound: Int
    /// Bytes missing from the current block; `nil` outside of a block.
    private var missing: Int?
    private var block: [UInt8] = []
    /// Bytes of sound so far.
    private(set) var position: Int64 = 0

    /// Takes `metaint` from the server's answer. Without it, or with 0, the stream has no metadata.
    init(metaint: Int?) {
        interval = max(0, metaint ?? 0)
        sound = interval
    }

    /// Appends the sound in these bytes to `output` and returns the blocks between them. Empty blocks mean no change
    /// and are left out.
    mutating func take(_ bytes: [UInt8], into output: inout [UInt8]) -> [Block] {
        guard interval > 0 else {
            output += bytes
            position += Int64(bytes.count)
            return []
        }
        var found: [Block] = []
        var rest = bytes[...]
        while let first = rest.first {
            if let missing {
                let piece = rest.prefix(missing)
                block += piece
                rest = rest.dropFirst(piece.count)
                self.missing = missing - piece.count
                if piece.count == missing { endBlock(&found) }
            } else if sound > 0 {
                let piece = rest.prefix(sound)
                output += piece
                position += Int64(piece.count)
                sound -= piece.count
                rest = rest.dropFirst(piece.count)
            } else {
                rest = rest.dropFirst()
                missing = Int(first) * 16
                if first == 0 { endBlock(&found) }
            }
        }
        return found
    }

    private mutating func endBlock(_ found: inout [Block]) {
        if !block.isEmpty { found.append(Block(at: position, bytes: block)) }
        block = []
        missing = nil
        sound = interval
    }
}
