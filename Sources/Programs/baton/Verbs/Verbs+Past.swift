import BatonClient
import BatonCore
import BatonProtocol

/// Verbs for a station's buffer: to go back, and to list and save titles.
extension Verb {
    private static let mostTitles = 100

    // MARK: Rewinding

    @Sendable static func goBack(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let text = try call.onlyOperand("how far, as 10m, 90s or 1h")
        guard let ms = ClockText.lengthMs(text) else { throw Stop(.usage, "“\(text)” is no length. Write 10m, 90s or 1h.") }
        let entry = try await hub.state().now?.entry
        let reply = try await hub.send(Commands.RadioBack(entry: entry, ms: ms)).reply
        if !call.json, case .applied(why: .floor) = reply.outcome { Output.line("That is the beginning of what is kept.") }
        try await report(call, hub)
    }

    @Sendable static func goLive(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let entry = try await hub.state().now?.entry
        try await hub.send(Commands.RadioLive(entry: entry))
        try await report(call, hub)
    }

    // MARK: Titles

    /// The titles in the order of their numbers, newest first.
    private static func titles(of words: [String], _ hub: ReconnectingHub) async throws -> (
        station: ItemURI?, list: TitleList, rows: [TitleList.Row]
    ) {
        let station = try await namedStation(words, hub)
        let list = try await hub.send(Commands.RadioTitles(uri: station, limit: mostTitles)).whole()
        return (station, list, list.rows.reversed())
    }

    @Sendable static func showTitles(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        if let number = call.options["play"] { return try await playTitle(number, for: call, on: hub) }
        if call.json {
            return Output.json(
                try await hub.send(Commands.RadioTitles(uri: try await namedStation(call.operands, hub), limit: mostTitles)))
        }
        let (_, list, rows) = try await titles(of: call.operands, hub)
        guard !rows.isEmpty else { return Output.line("No title is in the buffer of this station. It is filled while the station plays.") }
        var table = Table(["", "when", "title", "length", ""], call.ink)
        table.paint(column: 2, .bold)
        for (index, row) in rows.enumerated() {
            let length = row.endsMs.map { TimeText.show(ms: $0 - row.beginsMs) } ?? "on air"
            let marks = [row.isPart ? "a part" : nil, row.isSaved ? "saved" : nil]
            table.add(
                "\(index + 1)", ClockText.text(row.beginsMs, nowMs: list.nowMs), row.title, length,
                marks.compactMap { $0 }.joined(separator: ", "))
        }
        table.print()
        if list.more > 0 { Output.line("and \(list.more) older") }
    }

    private static func row(_ text: String, of rows: [TitleList.Row]) throws(Stop) -> TitleList.Row {
        guard let number = Int(text), number > 0 else { throw Stop(.usage, "“\(text)” is no row of baton radio titles.") }
        guard rows.indices.contains(number - 1) else {
            throw Stop(
                .refused,
                rows.isEmpty ? "No title is in the buffer of this station." : "There are \(rows.count) titles, and no number \(number).")
        }
        return rows[number - 1]
    }

    /// The title in a row of `baton radio titles`.
    static func title(inRow number: String, of station: [String], _ hub: ReconnectingHub) async throws -> String {
        try row(number, of: try await titles(of: station, hub).rows).title
    }

    private static func playTitle(_ number: String, for call: Invocation, on hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let entry = try await hub.state().now?.entry
        let row = try row(number, of: try await titles(of: [], hub).rows)
        try await hub.send(Commands.RadioBack(entry: entry, title: Int(row.number)))
        try await report(call, hub)
    }

    @Sendable static func saveTitle(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let number = try call.operand(0, "a row of baton radio titles")
        let (station, _, rows) = try await titles(of: Array(call.operands.dropFirst()), hub)
        let row = try row(number, of: rows)
        let outcome = try await hub.send(Commands.RadioSave(Int(row.number), uri: station)).reply.outcome
        if call.json {
            return Output.json {
                $0.object {
                    $0.member("title", row.title)
                    $0.member("n", row.number)
                }
            }
        }
        if case .noop = outcome { return Output.line("“\(row.title)” is saved already.") }
        Output.line(row.endsMs == nil ? "“\(row.title)” is saved when it ends." : "“\(row.title)” is saved.")
    }
}
