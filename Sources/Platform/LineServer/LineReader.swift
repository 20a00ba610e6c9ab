/// Splits bytes that come in pieces of any size into lines of a bounded length.
///
/// A value that knows of no socket. A line ends with a line feed; a carriage return before it belongs to the end.
/// After a line that is too long nothing more is read.
struct LineReader: Equatable {
    /// A line has more than the allowed bytes. Thrown as soon as that is known.
    struct TooLong: Error, Equatable {}

    let limit: Int
    private var bytes: [UInt8] = []
    /// Where the first line that was not taken begins.
    private var start = 0
    /// How far behind `start` no line feed stands.
    private var searched = 0
    private var isBroken = false

    init(limit: Int) { self.limit = limit }

    /// A line has begun and not ended, or whole lines wait.
    var isEmpty: Bool { start == bytes.count }

    mutating func append(_ piece: some Collection<UInt8>) {
        guard !isBroken else { return }
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: piece)
    }

    /// The next whole line; `nil` when it has not come yet.
    mutating func next() throws(TooLong) -> [UInt8]? {
        guard !isBroken else { return nil }
        let from = start + searched
        guard let end = bytes[from...].firstIndex(of: 0x0A) else {
            searched = bytes.count - start
            // A carriage return at the end may belong to the line's end, which is still to come.
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

    private mutating func fail() -> TooLong {
        isBroken = true
        bytes = []
        start = 0
        searched = 0
        return TooLong()
    }
}
