/// Rows of a queue, as the answer to whoever asks for them.
import BatonCore
import BatonProtocol

extension PlaybackQueue {
    /// Rows of the queue, encoded as the answer to a query.
    func page(from: Int, count: Int, _ limits: WireLimits) -> [UInt8] {
        let rows = entries.dropFirst(from).prefix(count).map(QueueRow.init)
        let page = QueuePage(revision: revision, length: self.count, current: current, from: from, rows: rows)
        return JSONWriter.bytes { page.encode(into: &$0, bytes: limits.pageBytes) }
    }

    func page(of ids: [EntryID], _ limits: WireLimits) -> [UInt8] {
        let wanted = Set(ids)
        let rows = entries.filter { wanted.contains($0.id) }.map(QueueRow.init)
        let page = QueuePage(revision: revision, length: count, current: current, from: nil, rows: rows)
        return JSONWriter.bytes { page.encode(into: &$0, bytes: limits.pageBytes) }
    }
}
