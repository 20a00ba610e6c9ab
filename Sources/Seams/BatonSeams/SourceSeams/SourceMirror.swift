package import BatonCore

/// A copy of a source's rows, which can be browsed and searched while the source is unavailable. Every call may wait for the disk.
package protocol SourceMirror: Sendable {
    /// Begins a new pass over the source's rows, or continues an unfinished one. Until it is finished, the earlier rows are shown.
    func begin(_ source: String, atMs: Milliseconds) throws(SourceFault) -> SourceMirroring

    /// Stores the rows of one step, and the beginning of the next.
    func put(_ page: MirrorPage, in mirroring: SourceMirroring) throws(SourceFault)

    /// Drops a pass that cannot continue, as when the source no longer knows its cursor.
    func abandon(_ mirroring: SourceMirroring) throws(SourceFault)

    /// Shows these rows from now on, and drops those that the pass did not find again.
    func finish(_ mirroring: SourceMirroring, atMs: Milliseconds) throws(SourceFault)

    /// Replaces the rows of a container after it was edited here; without rows it is removed. Only while rows of the source are shown.
    func replace(_ container: ItemURI, with rows: [ItemRow]?, in source: String) throws(SourceFault)

    /// The rows of a container. One whose rows were not stored is a fault, unless its own row has the count 0.
    func browse(_ source: String, _ query: BrowseQuery) throws(SourceFault) -> ItemPage
    /// The stored rows that match the text, by the rules of the hub and not those of the source.
    func search(_ source: String, _ query: SearchQuery) throws(SourceFault) -> ItemPage
    /// The row; `nil` for an item that was never stored.
    func row(of uri: ItemURI, in source: String) throws(SourceFault) -> ItemRow?
    /// The tracks in a container, or the track itself.
    func tracks(of uri: ItemURI, in source: String) throws(SourceFault) -> [ItemRow]
    /// The state of the rows that are shown; `nil` before the first pass was finished.
    func status(of source: String) throws(SourceFault) -> MirrorStatus?
    func forgetRows(of source: String) throws(SourceFault)
}

/// One pass over a source's rows.
package struct SourceMirroring: Equatable, Sendable {
    package var source: String
    /// The number of the pass, which tells its rows from those of others.
    package var number: Int64
    /// The beginning of the next step; `nil` at the start.
    package var cursor: String?
    /// True when all rows are stored and only `finish` is left.
    package var isNoted: Bool

    package init(source: String, number: Int64, cursor: String? = nil, isNoted: Bool = false) {
        self.source = source
        self.number = number
        self.cursor = cursor
        self.isNoted = isNoted
    }
}

/// A row and its position.
package struct MirrorRow: Equatable, Sendable {
    /// The container of the row; `nil` for the source's own shelves, and for rows that are found only by searching.
    package var container: ItemURI?
    /// The position in the container; positions may have gaps.
    package var position: Int
    /// The row as the source gave it.
    package var row: ItemRow

    package init(_ row: ItemRow, in container: ItemURI?, at position: Int) {
        self.container = container
        self.position = position
        self.row = row
    }
}

/// The rows of one step of a pass over all items of a source.
package struct MirrorPage: Equatable, Sendable {
    package var rows: [MirrorRow]
    /// The beginning of the next step; `nil` at the end.
    package var cursor: String?
    /// The number of rows to expect, for showing progress.
    package var total: Int?

    package init(_ rows: [MirrorRow], cursor: String? = nil, total: Int? = nil) {
        self.rows = rows
        self.cursor = cursor
        self.total = total
    }
}

/// The state of a source's mirror.
package struct MirrorStatus: Equatable, Sendable {
    /// Number of rows that are shown.
    package var rows: Int
    /// Wall clock time at which the last pass was complete.
    package var finishedAtMs: Milliseconds

    package init(rows: Int, finishedAtMs: Milliseconds) {
        self.rows = rows
        self.finishedAtMs = finishedAtMs
    }
}

/// The prefix of cursors from a mirror. It tells them from cursors of the source itself, which may be available again when the cursor comes back.
package enum MirrorCursorMark {
    /// The character with which such cursors begin.
    package static let text = "~"
}
