/// The lines of a command list that is being received.
struct CommandList {
    /// True when each command is to be answered by `list_OK`.
    let showsOK: Bool
    private(set) var lines = CommandLines()
    private let mostBytes: Int

    /// Limit on all lines together, as in the original.
    static let mostBytes = 2 << 20
    /// Limit for a connection that has sent no password: a stranger needs no list that is longer.
    static let mostBytesOfStrangers = 16 << 10

    init(showsOK: Bool, mostBytes: Int = Self.mostBytes) {
        self.showsOK = showsOK
        self.mostBytes = mostBytes
    }

    /// Adds a line. Returns false when the list is too large; the connection ends then.
    mutating func add(_ line: [UInt8]) -> Bool {
        guard lines.byteCount + line.count + 1 <= mostBytes else { return false }
        lines.append(line)
        return true
    }
}
