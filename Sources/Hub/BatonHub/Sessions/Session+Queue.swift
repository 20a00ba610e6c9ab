import BatonCore
import BatonProtocol
import BatonSeams

/// Following a queue step by step, for a remote that has it open.
extension Session {
    /// Begins to follow, or ends. The rows that were asked for come with the answer; what happens after
    /// them comes as operations.
    func openQueue(_ window: Patch<Subscription.Window>) -> ReplyData? {
        switch window {
        case .unchanged: return nil
        case .cleared:
            queueTold = nil
            return nil
        case .set(let window):
            guard let live = hub.rooms[room] else { return nil }
            queueTold = [room: live.log.last]
            return .queuePage(live.room.queue.page(from: window.from, count: window.count))
        }
    }

    /// Whether this remote has a queue open that has changed since.
    var hasQueueNews: Bool {
        guard let queueTold else { return false }
        return rooms.contains { id in hub.rooms[id].map { queueTold[id] != $0.log.last } ?? false }
    }

    /// Goes out before the state that shows the same revision, so that whoever sees the revision has
    /// the list that belongs to it. A room that is new to this remote begins with a reset.
    func sendQueueNews() {
        guard let told = queueTold else { return }
        for id in rooms {
            guard let live = hub.rooms[id], told[id] != live.log.last else { continue }
            queueTold?[id] = live.log.last
            send(live.queueNews(since: told[id] ?? -1))
        }
    }
}
