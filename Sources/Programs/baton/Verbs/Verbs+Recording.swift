import BatonClient
import BatonCore
import BatonProtocol

/// Verbs for radio recordings.
extension Verb {
    @Sendable static func recordStation(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        var call = call
        let word = call.operands.isEmpty ? "list" : call.operands.removeFirst()
        call.verb = "radio record \(word)"
        switch word {
        case "start": try await startRecording(call, hub)
        case "at": try await scheduleRecording(call, hub)
        case "stop": try await stopRecording(call, hub)
        case "cancel": try await cancelRecording(call, hub)
        case "list":
            try call.expectNoOperands()
            try await showRecordings(call, hub)
        default: throw Stop(.usage, "radio record cannot “\(word)”. It can: at, cancel, list, start, stop.")
        }
    }

    // MARK: Listing

    private static func recorded(_ hub: ReconnectingHub) async throws -> [RadioSection.Recorded] {
        try await hub.state().radio?.recorded ?? []
    }

    private static func showRecordings(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let rows = try await recorded(hub)
        if call.json {
            return Output.json {
                $0.object { outer in
                    outer.member(
                        "recordings",
                        array: { list in
                            for row in rows {
                                list.object { one in
                                    one.member("id", row.recording.id)
                                    one.member("uri", row.recording.uri.text)
                                    one.member("title", row.recording.title)
                                    one.member("state", row.state.rawValue)
                                    one.member("at", row.recording.beginsMs)
                                    one.member("end", ifPresent: row.recording.endsMs)
                                    one.member("every", ifPresent: row.recording.repeats?.rawValue)
                                    one.member("song", ifPresent: row.song)
                                    one.member("problem", ifPresent: row.sentence)
                                }
                            }
                        })
                }
            }
        }
        if rows.isEmpty { return Output.line("Nothing is recorded. Begin: baton radio record start NAME.") }
        let now = Clock.wallMs()
        var table = Table(["", "station", "when", "", "state"], call.ink)
        table.paint(column: 1, .bold)
        for row in rows {
            let recording = row.recording
            let end = recording.endsMs.map { ClockText.text($0, nowMs: now) } ?? "until it is stopped"
            let times = "\(ClockText.text(recording.beginsMs, nowMs: now)) – \(end)"
            table.add(
                "\(recording.id)", recording.title, times, recording.repeats.map { "every \($0.rawValue)" } ?? "",
                row.sentence ?? row.song.map { "● \($0)" } ?? (row.state == .on ? "●" : ""))
        }
        table.print()
    }

    // MARK: Starting

    /// The given station, or the one that the room plays.
    private static func recordedStation(_ words: [String], _ hub: ReconnectingHub) async throws -> ItemURI {
        if let named = try await namedStation(words, hub) { return named }
        guard let now = try await hub.state().now, now.tags.kind == .station, let uri = now.uri else {
            throw Stop(.usage, "No station plays here. Name one: its number among the presets, its name, or its URI.")
        }
        return uri
    }

    private static func length(_ call: Invocation) throws(Stop) -> Milliseconds? {
        guard let text = call.options["for"] else { return nil }
        guard let ms = ClockText.lengthMs(text), Recording.lengthsMs ~= ms else {
            throw Stop(.usage, "“\(text)” is no length up to a day. Write 2h, 90m or 1h30m.")
        }
        return ms
    }

    private static func startRecording(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let length = try length(call)
        guard call.options["every"] == nil else {
            throw Stop(.usage, "What repeats has a time: baton radio record at 20:00 --for 2h --every day.")
        }
        let uri = try await recordedStation(call.operands, hub)
        try await record(Commands.RadioRecord(uri: uri, lengthMs: length), for: call, on: hub)
    }

    private static func scheduleRecording(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let text = try call.operand(0, "a time, as 20:00")
        guard let atMs = ClockText.nextMs(text, afterMs: Clock.wallMs()) else { throw Stop(.usage, "“\(text)” is no time. Write 20:00.") }
        guard let length = try length(call) else { throw Stop(.usage, "Say how long: --for 2h.") }
        var repeats: Recording.Repeat?
        if let word = call.options["every"] {
            repeats = Recording.Repeat(rawValue: word)
            guard repeats != nil else { throw Stop(.usage, "--every takes day or week.") }
        }
        let uri = try await recordedStation(Array(call.operands.dropFirst()), hub)
        try await record(Commands.RadioRecord(uri: uri, atMs: atMs, lengthMs: length, every: repeats), for: call, on: hub)
    }

    private static func record(_ wish: Commands.RadioRecord, for call: Invocation, on hub: ReconnectingHub) async throws {
        let outcome = try await hub.send(wish).reply.outcome
        if !call.json, case .noop = outcome { Output.line("That is recorded already.") }
        try await showRecordings(call, hub)
    }

    // MARK: Stopping

    private static func stopRecording(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        if !call.operands.isEmpty { return try await cancelRecording(call, hub) }
        let running = try await recorded(hub).filter { $0.state != .due }
        guard !running.isEmpty else { throw Stop(.refused, "Nothing is recorded now.") }
        for row in running { try await hub.send(Commands.RadioRecord(stop: row.recording.id)) }
        try await showRecordings(call, hub)
    }

    private static func cancelRecording(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let text = try call.onlyOperand("a number of baton radio record list")
        guard let id = Int(text), id > 0 else { throw Stop(.usage, "“\(text)” is no number of baton radio record list.") }
        try await hub.send(Commands.RadioRecord(stop: id))
        try await showRecordings(call, hub)
    }
}
