/// Splits bytes that arrive in pieces of any size into lines of limited length.
///
/// A value without a socket. A line ends with a line feed, or with a carriage return and a line feed. After a line that is too long,
/// reading stops.
struct LineReader: Equatable {
    /// A line longer than the limit. Thrown as soon as the limit is exceeded.
    struct TooLong: Error, Equatable {}

    let limit: Int
    private var bytes: [UInt8] = []
    /// Start of the first line that was not taken.
    private var start = 0
    /// Number of bytes after `start` that contain no line feed.
    private var searched = 0
    private var isBroken = false

    init(limit: Int) { self.limit = limit }

    /// True if neither a part of a line nor a complete one waits.
    var isEmpty: Bool { start == bytes.count }

    mutating func append(_ piece: some Collection<UInt8>) {
        guard !isBroken else { return }
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: piece)
    }

    /// The next complete line; `nil` if it has not arrived.
    mutating func next() throws(TooLong) -> [UInt8]? {
        guard !isBroken else { return nil }
        let from = start + searched
        guard let end = bytes[from...].firstIndex(of: 0x0A) else {
            if isEmpty { dropSpareRoom() }
            searched = bytes.count - start
            // A carriage return at the end may belong to a line end that has not arrived.
            if searched - (bytes.last == 0x0D && searched > 0 ? 1 : 0) > limit { throw fail() }
            return nil
        }
        var line = bytes[start..<end]
        if line.last == 0x0D { line.removeLast() }
        guard line.count <= limit else { throw fail() }
        start = end + 1
        searched = 0
        return Array(line)
    }

    /// Releases the room of a long line, so that a connection which sends one now and then costs little between them.
    private mutating func dropSpareRoom() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.spareBytes)
        start = 0
    }

    private static let spareBytes = 256

    private mutating func fail() -> TooLong {
        isBroken = true
        bytes = []
        start = 0
        searched = 0
        return TooLong()
    }
}
