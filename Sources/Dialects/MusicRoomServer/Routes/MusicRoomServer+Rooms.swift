/// Rooms, and changes of their queues.
import BatonCore
import BatonProtocol
import BatonSeams

extension MusicRoomServer {
    func rooms() -> HTTPResponse {
        var text = RoomText()
        text.list(view.rooms) { $1.write(into: &$0) }
        return .roomJSON(200, text.bytes)
    }

    func room(_ request: HTTPRequest, _ visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        try await state(of: room(named: request), for: visitor)
    }

    /// The whole state. Its queue becomes the one that was sent to the session last.
    private func state(of room: RoomID, for visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        guard let shown = await queue(of: room).current() else { throw RoomRefusal(404, "There is no room “\(room)” on this hub.") }
        visitor.session.sentQueues[room] = shown.queue.number
        return .roomJSON(200, view.state(of: room, shown).written(queue: shown.text))
    }

    func makeRoom(_ request: HTTPRequest, _ visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        let wish = try read(request) { bytes throws(RoomFault) in try RoomWish(making: bytes) }
        let reply = try await ask(Commands.RoomCreate(wish.name ?? ""), visitor)
        guard let room = (reply.data as? CreatedRoom)?.room else { throw RoomRefusal(500, "The hub did not say which room it made.") }
        if let mode = wish.mode { try await ask(Commands.ModeSet(to: mode), visitor, in: room) }
        var text = RoomText()
        view.info(of: room).write(into: &text)
        return .roomJSON(201, text.bytes)
    }

    func changeRoom(_ request: HTTPRequest, _ visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        let room = try room(named: request)
        let wish = try read(request) { bytes throws(RoomFault) in try RoomWish(changing: bytes) }
        if let name = wish.name { try await ask(Commands.RoomRename(room, name: name), visitor) }
        if let mode = wish.mode { try await ask(Commands.ModeSet(to: mode), visitor, in: room) }
        return try await state(of: room, for: visitor)
    }

    func deleteRoom(_ request: HTTPRequest, _ visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        let room = try room(named: request)
        guard room != ports.state.firstRoom else { throw RoomRefusal(409, "The default room cannot be deleted.") }
        try await ask(Commands.RoomDelete(room), visitor)
        return .roomDone
    }

    func setMode(_ request: HTTPRequest, _ visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        let room = try room(named: request)
        let mode = try read(request) { bytes throws(RoomFault) in try NamedMode(body: bytes) }
        try await ask(Commands.ModeSet(to: mode), visitor, in: room)
        return .roomDone
    }

    // MARK: The queue

    func changeQueue(_ request: HTTPRequest, _ visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        let room = try room(named: request)
        let patch = try read(request) { bytes throws(RoomFault) in try ListPatch(bytes) }
        // Read before any wait, so that it is the queue that the client saw when it sent the request.
        let seen = visitor.session.sentQueues[room]
        try await ask(change(patch, await queueSeen(seen, in: room)), visitor, in: room)
        return .roomDone
    }

    /// The queue of this number; without one, the current queue.
    private func queueSeen(_ number: Int?, in room: RoomID) async throws(RoomRefusal) -> SentQueue {
        let queue = queue(of: room)
        guard let number else {
            guard let shown = await queue.current() else { throw RoomRefusal(404, "There is no room “\(room)” on this hub.") }
            return shown.queue
        }
        guard let sent = queue.sent[number] else {
            throw RoomRefusal(409, "The queue has changed too often since it was sent here. Look again.")
        }
        return sent
    }

    private func change(_ patch: ListPatch, _ seen: SentQueue) async throws(RoomRefusal) -> any CommandRequest {
        switch patch {
        case .add(let ids, let place):
            guard !ids.isEmpty else { throw RoomRefusal(400, "There is nothing to add.") }
            let place = try seen.insertion(at: place)
            return Commands.QueueAdd(try await names.uris(of: ids), place: place)
        case .remove(let places): return Commands.QueueRemove(try seen.entries(at: places))
        case .move(let from, let to):
            let (entry, place) = try seen.move(from: from, to: to)
            return Commands.QueueMove([entry], anchor: place)
        case .set(let ids):
            guard !ids.isEmpty else { return Commands.QueueClear(seen.revision) }
            return Commands.QueueReplace(seen.revision, uris: try await names.uris(of: ids))
        }
    }
}

extension Commands.ModeSet {
    /// Brings a room into a mode that has a name.
    fileprivate init(to mode: NamedMode) {
        let change = mode.change
        self.init(repeat: change.repeat, shuffle: change.shuffle, single: change.single)
    }
}
