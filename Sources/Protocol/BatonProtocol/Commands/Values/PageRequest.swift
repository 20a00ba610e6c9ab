/// The requested rows: their number, and their start, given by a place or by the cursor of the page before.
public struct PageRequest: Equatable, Sendable {
    public var from: Int
    public var limit: Int
    public var cursor: String?

    public init(from: Int = 0, limit: Int = 100, cursor: String? = nil) {
        self.from = from
        self.limit = limit
        self.cursor = cursor
    }
}
