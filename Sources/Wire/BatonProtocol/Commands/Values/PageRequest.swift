/// The requested rows: their number, and their start, given by a place or by the cursor of the page before.
public struct PageRequest: Equatable, Sendable {
    /// Position of the first row, from 0; a cursor takes precedence over it.
    public var from: Int
    /// Largest number of rows; a page may have fewer because of its size in bytes.
    public var limit: Int
    /// The cursor from the page before, which is valid for the same question only.
    public var cursor: String?

    public init(from: Int = 0, limit: Int = 100, cursor: String? = nil) {
        self.from = from
        self.limit = limit
        self.cursor = cursor
    }
}
