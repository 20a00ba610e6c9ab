public import BatonCore

/// A queue from afar: which revision, how long, where in it. Its rows are asked for with `queue.get`.
public struct QueueSection: SectionContent {
    package static let section = Section.queue

    public var revision: Int
    public var length: Int
    /// The place of `current`, counted from 0.
    public var index: Int?
    public var current: EntryID?
    /// What comes next, so that a remote can predict it when somebody presses twice.
    public var next: EntryID?
    public var nextText: String?
    /// What `queue.undo` would take back.
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
