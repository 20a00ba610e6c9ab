/// `jobs`: the pieces in the making, and those that ended last.
public struct JobsSection: SectionContent {
    package static let section = Section.jobs

    /// The newest first. What has not ended stands before what has.
    public var rows: [JobRow]
    /// How many more there are that have not ended.
    public var more: Int

    package init(_ rows: [JobRow], more: Int = 0) {
        self.rows = rows
        self.more = more
    }
}
