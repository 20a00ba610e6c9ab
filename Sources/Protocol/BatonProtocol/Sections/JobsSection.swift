/// `jobs`: unfinished pieces, and those that ended last.
public struct JobsSection: SectionContent {
    package static let section = Section.jobs

    /// Unfinished rows first, then finished ones; newest first in both.
    public var rows: [JobRow]
    /// Number of further unfinished rows.
    public var more: Int

    package init(_ rows: [JobRow], more: Int = 0) {
        self.rows = rows
        self.more = more
    }
}
