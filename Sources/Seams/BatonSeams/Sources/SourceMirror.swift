package import BatonCore

/// The rows of a source as they were last seen, so that it is browsed and searched also while it cannot be reached.
/// Every call may wait for the disk.
package protocol SourceMirror: Sendable {
    /// Begins to note the source's rows anew, or goes on with a pass that did not come to its end. Until it is finished, the rows
    /// noted before are shown.
    func begin(_ source: String, atMs: Int64) throws(SourceFault) -> SourceMirroring

    /// Notes the rows of one step, and where the next one begins.
    func put(_ page: MirrorPage, in mirroring: SourceMirroring) throws(SourceFault)

    /// Forgets a pass that cannot go on, such as one whose cursor the source no longer knows.
    func abandon(_ mirroring: SourceMirroring) throws(SourceFault)

    /// From now on these rows are shown, and those that were not noted again are gone.
    func finish(_ mirroring: SourceMirroring, atMs: Int64) throws(SourceFault)

    /// A container whose rows were not noted is a fault, unless its own row has the count 0.
    /// What a container holds now, after it was edited here; without rows it is gone. Only where rows of the source are shown.
    func replace(_ container: ItemURI, with rows: [ItemRow]?, in source: String) throws(SourceFault)

    func browse(_ source: String, _ query: BrowseQuery) throws(SourceFault) -> ItemPage
    func search(_ source: String, _ query: SearchQuery) throws(SourceFault) -> ItemPage
    /// `nil` for an item that was never noted.
    func row(of uri: ItemURI, in source: String) throws(SourceFault) -> ItemRow?
    /// The tracks in a container, or the track itself.
    func tracks(of uri: ItemURI, in source: String) throws(SourceFault) -> [ItemRow]
    func status(of source: String) throws(SourceFault) -> MirrorStatus?
    func forgetRows(of source: String) throws(SourceFault)
}

/// One pass over a source's rows.
package struct SourceMirroring: Equatable, Sendable {
    package var source: String
    package var number: Int64
    /// Where it goes on; `nil` at its beginning.
    package var cursor: String?
    /// All rows were noted; only `finish` is left.
    package var isNoted: Bool

    package init(source: String, number: Int64, cursor: String? = nil, isNoted: Bool = false) {
        self.source = source
        self.number = number
        self.cursor = cursor
        self.isNoted = isNoted
    }
}

/// A row, and where it is shown.
package struct MirrorRow: Equatable, Sendable {
    /// The container that shows it; `nil` for the source's own shelves, and for rows that are found only by searching.
    package var container: ItemURI?
    /// Rows of a container are shown in the order of their places, which may have gaps.
    package var place: Int
    package var row: ItemRow

    package init(_ row: ItemRow, in container: ItemURI?, at place: Int) {
        self.container = container
        self.place = place
        self.row = row
    }
}

/// Rows of one step of a pass over everything that a source has.
package struct MirrorPage: Equatable, Sendable {
    package var rows: [MirrorRow]
    /// Where the next step begins; `nil` at the end.
    package var cursor: String?
    /// How many rows there will be, for a sign of progress.
    package var total: Int?

    package init(_ rows: [MirrorRow], cursor: String? = nil, total: Int? = nil) {
        self.rows = rows
        self.cursor = cursor
        self.total = total
    }
}

package struct MirrorStatus: Equatable, Sendable {
    package var rows: Int
    package var finishedAtMs: Int64

    package init(rows: Int, finishedAtMs: Int64) {
        self.rows = rows
        self.finishedAtMs = finishedAtMs
    }
}

/// How a page's cursor begins that a mirror gave. It tells it from the cursors of the source itself, which may be up again when
/// the cursor comes back.
package enum MirrorCursorMark {
    package static let text = "~"
}
