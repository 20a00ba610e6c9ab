/// Takes the metadata out of a stream with ICY titles: after each `metaint` bytes of sound stands a byte with the length of a block in
/// sixteenths, and then the block. A value; the stream may come in pieces of any size.
struct ICYSplitter: Equatable {
    /// A block and the place in the sound at which it stood, counted from the beginning of this connection.
    struct Block: Equatable {
        var at: Int64
        var bytes: [UInt8]
    }

    /// The longest block that its length byte can say.
    static let mostBytes = 255 * 16

    private let interval: Int
    /// Sound until the next length byte.
    private var sound: Int
    /// Bytes of the block that are still to come; `nil` outside of a block.
    private var missing: Int?
    private var block: [UInt8] = []
    /// How much sound came so far.
    private(set) var place: Int64 = 0

    /// `metaint` as the server said it. A stream without it, or with 0, has no metadata.
    init(metaint: Int?) {
        interval = max(0, metaint ?? 0)
        sound = interval
    }

    /// Appends the sound of these bytes to `output`, and returns the blocks between them. Empty blocks say nothing and are left out.
    mutating func take(_ bytes: [UInt8], into output: inout [UInt8]) -> [Block] {
        guard interval > 0 else {
            output += bytes
            place += Int64(bytes.count)
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
                place += Int64(piece.count)
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
        if !block.isEmpty { found.append(Block(at: place, bytes: block)) }
        block = []
        missing = nil
        sound = interval
    }
}
