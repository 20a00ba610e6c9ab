import BatonCore
import BatonProtocol
import BatonSeams

/// Incremental updates of a queue, for a remote that has it open.
extension Session {
    /// Begins to follow, or ends. The rows that were asked for come with the answer; what happens after
    /// them comes as operations.
    func openQueue(_ window: Patch<Subscription.Window>) -> QueuePage? {
        switch window {
        case .unchanged: return nil
        case .cleared:
            queueTold = nil
            return nil
        case .set(let window):
            let queues = companion.ports.queues
            guard let last = queues.step(of: room) else { return nil }
            queueTold = [room: last]
            let page = queues.page(of: room, from: window.from, count: window.count)
            return learnsNames ? page : page?.withoutNames
        }
    }

    /// Whether this remote has a queue open that has changed since.
    var hasQueueNews: Bool {
        guard let queueTold else { return false }
        return rooms.contains { id in companion.ports.queues.step(of: id).map { queueTold[id] != $0 } ?? false }
    }

    /// Sends operations before the state with the same revision, so that a client that sees the revision has the matching list. A room that
    /// is new to this remote starts with a reset.
    func sendQueueNews() {
        guard let told = queueTold else { return }
        for id in rooms {
            guard let last = companion.ports.queues.step(of: id), told[id] != last else { continue }
            var now = queueTold
            now?[id] = last
            queueTold = now
            if let frame = companion.queueNews(of: id, since: told[id] ?? -1, to: last, within: longest, learnsNames: learnsNames) {
                send(frame)
            }
        }
    }
}
