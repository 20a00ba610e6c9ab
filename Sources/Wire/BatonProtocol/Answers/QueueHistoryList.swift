package import BatonCore

/// The answer to `queue.history`, made from a queue.
extension QueueHistoryList {
    /// Lists the edits, newest first. An edit that lacks the data for its reversal is marked as one that cannot be undone.
    package init(_ queue: PlaybackQueue) {
        let edits = queue.history.edits.reversed()
        self.init(
            edits.map { Row(what: $0.kind.rawValue, author: $0.author, atMs: $0.atMs, count: $0.count, canUndo: $0.undo != nil) },
            revision: queue.revision)
    }
}
