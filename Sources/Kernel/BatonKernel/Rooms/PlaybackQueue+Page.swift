/// Rows of a queue, as the answer to a query.
import BatonCore
import BatonProtocol

extension PlaybackQueue {
    /// Rows from a place on. The codec cuts them to the length of a page.
    func page(from: Int, count: Int) -> QueuePage {
        let rows = entries.dropFirst(from).prefix(count).map(QueueRow.init)
        return QueuePage(rows, revision: revision, length: self.count, current: current, from: from)
    }

    func page(of ids: [EntryID]) -> QueuePage {
        let wanted = Set(ids)
        let rows = entries.filter { wanted.contains($0.id) }.map(QueueRow.init)
        return QueuePage(rows, revision: revision, length: count, current: current)
    }
}
