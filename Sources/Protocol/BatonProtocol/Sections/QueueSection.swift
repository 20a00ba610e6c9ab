public import BatonCore

/// A summary of a queue: its revision, its length and the current place. `queue.get` gives its rows.
public struct QueueSection: SectionContent {
    package static let section = Section.queue

    public var revision: Int
    public var length: Int
    /// The place of `current`, counted from 0.
    public var index: Int?
    public var current: EntryID?
    /// The next entry, so that a remote can predict it when a person presses twice.
    public var next: EntryID?
    public var nextText: String?
    /// The edit that `queue.undo` would take back.
    public var undo: QueueEdit.Kind?

    package init(
        revision: Int, length: Int, index: Int? = nil, current: EntryID? = nil, next: EntryID? = nil, nextText: String? = nil,
        undo: QueueEdit.Kind? = nil
    ) {
        self.revision = revision
        self.length = length
        self.index = index
        self.current = current
        self.next = next
        self.nextText = nextText
        self.undo = undo
    }
}
