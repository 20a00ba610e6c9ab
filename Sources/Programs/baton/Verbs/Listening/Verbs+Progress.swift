import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Positions in books and episodes, by default in the room's current item.
extension Verb {
    private static let progressWords: Choices = [
        "list": listProgress, "restore": restoreProgress, "finish": finishProgress, "reset": resetProgress, "asleep": showAsleep,
        // The room continues although its person listens elsewhere by now.
        "here": changes(
            nothing, by: { _ in Commands.ProgressHere() }, says: { _ in "What plays here counts." },
            unchanged: { _ in "This room was not asked: what it plays was not begun anywhere else." }),
    ]

    @Sendable static func progress(_ call: Invocation, _ satellite: Satellite) async throws {
        guard let first = call.operands.first, !progressWords.contains(where: { $0.key == first }) else {
            return try await choose(among: progressWords, call, satellite)
        }
        try await satellite.withHub(call) { hub in try await showProgress(of: try await call.uri(of: first, hub), call, hub) }
    }

    // MARK: Listing

    @Sendable private static func listProgress(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let listing = Commands.ProgressListing(isFinished: call.options["finished"] != nil)
        if call.json { return Output.json(try await hub.send(listing)) }
        let rows = try await hub.send(listing).whole().rows
        if rows.isEmpty { return Output.line("Nothing is begun. What is spoken keeps its place by itself.") }
        var table = Table(["title", "place", "", "item"], call.ink)
        table.paint(column: 0, .bold)
        for row in rows { table.add(row.item?.tags.title ?? "", describe(row.place, of: row.item), aside(row.sides.count), row.uri.text) }
        table.print()
    }

    private static func showProgress(of uri: ItemURI, _ call: Invocation, _ hub: ReconnectingHub) async throws {
        let answer = try await hub.send(Commands.ProgressListing(uri: uri))
        if call.json { return Output.json(answer) }
        guard let row = try answer.whole().rows.first else { return Output.line("There is no place in “\(uri.text)” yet.") }
        show(row)
    }

    private static func show(_ row: PlacedItem) {
        Output.line("\(row.item?.tags.title ?? row.uri.text): \(describe(row.place, of: row.item))")
        for (index, side) in row.sides.enumerated() { Output.line("  \(index + 1)  \(describe(side, of: row.item))") }
        if !row.sides.isEmpty { Output.line("Go on at one of them: baton progress restore N") }
    }

    private static func describe(_ place: ItemPlace?, of item: ItemRow?) -> String {
        guard let place else { return "not begun" }
        let length = (item?.tags.durationMs).map { " of \(TimeText.show(ms: $0))" } ?? ""
        let at = place.isFinished ? "finished" : place.positionMs == 0 ? "from the beginning" : TimeText.show(ms: place.positionMs) + length
        let device = place.device.isEmpty ? "" : ", \(place.device)"
        return "\(at)\(device), \(TimeText.ago(ms: Clock.wallMs() - place.atMs))"
    }

    private static func aside(_ count: Int) -> String { count == 0 ? "" : "\(count) beside it" }

    /// Shows the position at which a sleep timer stopped playback; with a number, playback continues there.
    @Sendable private static func showAsleep(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let answer = try await hub.send(Commands.ProgressAsleep())
        if call.json { return Output.json(answer) }
        let places = try answer.whole()
        guard let atMs = places.atMs, !places.rows.isEmpty else {
            return Output.line("No sleep timer has ended the playing here, or what played is not in the queue any more.")
        }
        if let text = try call.operandIfAny() {
            guard let number = Int(text), places.rows.indices.contains(number - 1) else {
                throw Stop(.usage, "There is no place “\(text)”; there are \(places.rows.count).")
            }
            let row = places.rows[number - 1]
            try await hub.send(Commands.Play(entry: row.entry, positionMs: row.positionMs))
            return
        }
        Output.line("The sleep timer ended \(TimeText.ago(ms: Clock.wallMs() - atMs)).")
        let words: [AsleepPlaces.Moment: String] = [.end: "where it ended", .begin: "where it was set", .press: "the last press"]
        for (index, row) in places.rows.enumerated() {
            Output.line("  \(index + 1)  \(words[row.moment] ?? ""): \(row.title), \(TimeText.show(ms: row.positionMs))")
        }
        Output.line("Go on at one of them: baton progress asleep N")
    }

    // MARK: Changing

    @Sendable private static func restoreProgress(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let text = try call.operand(0, "the number of a side place: see baton progress ITEM")
        let uri = try await target(call, at: 1, hub)
        let sides = try await hub.ask(Commands.ProgressListing(uri: uri)).rows.first?.sides ?? []
        guard let number = Int(text), sides.indices.contains(number - 1) else {
            throw Stop(
                .refused, sides.isEmpty ? "There are no side places." : "There is no side place “\(text)”; there are \(sides.count).")
        }
        try await change(sending: Commands.ProgressRestore(uri, session: sides[number - 1].session), for: call, on: hub)
    }

    @Sendable private static func finishProgress(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try await change(sending: Commands.ProgressFinish(try await target(call, at: 0, hub)), for: call, on: hub)
    }

    @Sendable private static func resetProgress(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try await change(sending: Commands.ProgressReset(try await target(call, at: 0, hub)), for: call, on: hub)
    }

    private static func change<Command: WireCommand>(
        sending command: Command, for call: Invocation, on hub: ReconnectingHub
    ) async throws where Command.Answer == ProgressList {
        let answer = try await hub.send(command)
        if call.json { return Output.json(answer) }
        if let row = try answer.whole().rows.first { show(row) }
    }

    private static func target(_ call: Invocation, at index: Int, _ hub: ReconnectingHub) async throws -> ItemURI {
        if call.operands.indices.contains(index) { return try await call.uri(of: call.operands[index], hub) }
        guard let now = try await hub.state().now?.uri else {
            throw Stop(.refused, "Nothing is in front. Name an item: see baton progress")
        }
        return now
    }

}
