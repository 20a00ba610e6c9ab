import BatonClient
import BatonCore
import BatonProtocol

/// Verbs for a room that follows a room of another server.
extension Verb {
    /// Follows a room at a source. Without a source it shows the current connection.
    @Sendable static func join(_ call: Invocation, _ satellite: Satellite) async throws {
        guard let source = call.operands.first else { return try await satellite.withHub(call) { hub in try await tellJoined(call, hub) } }
        let room = call.operands.dropFirst().joined(separator: " ")
        try await satellite.withHub(call) { hub in
            let command = Commands.RoomJoin(source, room: room.isEmpty ? nil : room)
            let outcome = try await hub.send(command).reply.outcome
            if case .noop = outcome, !call.json { Output.line("It plays along already.") }
            try await tellJoined(call, hub)
        }
    }

    private static func tellJoined(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let found = try await hub.send(Commands.RoomJoined())
        if call.json { return Output.json(found) }
        let info = try found.whole()
        guard let source = info.source else {
            return Output.line("This room plays its own queue. Have it play along with a room of a server: baton join SOURCE [ROOM]")
        }
        Output.line(JoinedWords.connection(info, to: source))
        if info.listenerCount > 0 {
            let names = info.listeners.isEmpty ? "" : ": " + info.listeners.joined(separator: ", ")
            Output.line("In that room: \(info.listenerCount)\(names).")
        }
        if let expected = info.expectedMs, let own = info.ownMs, let drift = info.driftMs {
            Output.line("It is at \(TimeText.show(ms: expected)), this room at \(TimeText.show(ms: own)): \(drift) ms apart.")
        }
        guard call.options.has("events") else { return }
        let now = Clock.wallMs()
        for event in info.events { Output.line("\(TimeText.ago(ms: now - event.atMs))  \(event.text)") }
    }

}

/// Sentences about a room that follows another one.
enum JoinedWords {
    static func connection(_ info: JoinedRoomInfo, to source: String) -> String {
        let how =
            switch info.state {
            case .open: "connected."
            case .connecting: "connecting."
            case .waiting: info.sentence ?? "waiting."
            case .ended, nil: info.sentence ?? "ended."
            }
        return "It plays along with “\(info.name ?? info.room ?? "")” at \(source): \(how)"
    }
}
