import BatonProtocol
import BatonWire

/// The open queue: subscribing to it, applying its changes, and asking for the rows that are missing.
extension HubConnection {
    /// Follows the queue of the first room, up to the wanted number of rows; `queue` holds it.
    public func openQueue(wanted: Int = .max) async throws {
        let subscription = opening(wanted)
        let received = try await answer(to: subscription.id, JSONWriter.bytes(subscription.encode))
        if case .failed(let error) = received.reply.outcome { throw error }
    }

    func opening(_ wanted: Int) -> Subscription {
        defer { nextID += 1 }
        queue = QueueMirror(wanted: wanted)
        pages.insert(nextID)
        return Subscription(id: nextID, queue: .set(.init(from: 0, count: min(wanted, 100))))
    }

    func take(_ ops: QueueOps) {
        guard ops.room == mirror.room else { return }
        queue?.apply(ops)
        queueChanged()
    }

    func takePage(_ reply: ReceivedReply) {
        guard case .applied = reply.reply.outcome, let page = reply.data.flatMap({ try? QueuePage(from: $0) }) else { return }
        queue?.take(page)
        queueChanged()
    }

    private func queueChanged() {
        askForQueue()
        if let queue, queue.revision != nil { tell(.queue(queue)) }
    }

    /// Requests missing rows. Only one request runs at a time, because its answer may change what is missing.
    private func askForQueue() {
        guard pages.isEmpty, let question = queue?.need.question else { return }
        let frame = CommandFrame(id: nextID, question, room: mirror.room)
        pages.insert(nextID)
        nextID += 1
        channel.send(JSONWriter.bytes(frame.encode))
    }
}
