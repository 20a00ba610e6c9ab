package import BatonCore

/// The answer to `queue.history`, made from a queue.
extension QueueHistoryList {
    package init(_ queue: PlaybackQueue) {
        let edits = queue.history.edits.reversed()
        self.init(
            edits.map { Row(what: $0.kind.rawValue, author: $0.author, atMs: $0.atMs, count: $0.count, canUndo: $0.undo != nil) },
            revision: queue.revision)
    }
}
