import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs that show and edit the queue. People count from 1; the hub knows entries by their ids, so
/// that an edit never changes an entry that has moved to that place meanwhile.
extension Verb {
    private static let edits: Choices = [
        "list": list, "add": { try await add($0, $1, at: .end) }, "next": { try await add($0, $1, at: .next) }, "remove": remove,
        "move": moveEntry, "jump": jump, "clear": clear, "shuffle": shuffle, "similar": similar, "save": save,
        "continue": goOn, "undo": undo, "history": history,
    ]

    @Sendable static func queue(_ call: Invocation, _ satellite: Satellite) async throws {
        try await choose("queue", among: edits, call, satellite)
    }

    /// All rows, page by page.
    private static func rows(_ hub: SteadyHub) async throws -> QueuePage {
        var whole = QueuePage(revision: 0, length: 0, from: 0, rows: [])
        repeat {
            let page = try await hub.ask(Commands.QueueWindow(from: whole.rows.count))
            // An edit between two pages would shift the rows: start over.
            if page.revision != whole.revision, !whole.rows.isEmpty { whole.rows = [] } else { whole.rows += page.rows }
            whole.revision = page.revision
            whole.length = page.length
            if page.rows.isEmpty { break }
        } while whole.rows.count < whole.length
        return whole
    }

    @Sendable private static func list(_ call: Invocation, _ hub: SteadyHub) async throws {
        let page = try await rows(hub)
        if call.json { return Output.json { page.encode(into: &$0, bytes: .max / 2) } }
        let mirror = await hub.mirror
        let current = mirror.queue?.current
        if page.rows.isEmpty { return Output.line("The queue is empty.") }
        let now = Clock.wallMs()
        let ink = call.ink
        var table = Table()
        table.paint(column: 2, ink.faint)
        table.paint(column: 3, ink.faint)
        for (index, row) in page.rows.enumerated() {
            let text = (row.tags.artists.isEmpty ? "" : row.tags.artists.joined(separator: ", ") + " – ") + row.tags.title
            let cells = ["\(row.entry == current ? ">" : " ") \(index + 1)", text, length(of: row, mirror)]
            let added = row.addedAtMs > 0 ? TimeText.ago(ms: now - row.addedAtMs) : ""
            let kept = row.kept.map { $0.isWhole ? "kept" : "kept \($0.percent) %" } ?? ""
            table.add(call.options.has("long") ? cells + [row.addedBy ?? "", added, kept] : cells)
        }
        table.print()
    }

    /// A piece in the making has no length yet, and says how far it is.
    private static func length(of row: QueueRow, _ mirror: Mirror) -> String {
        if let durationMs = row.tags.durationMs { return TimeText.show(ms: durationMs) }
        return mirror.job(of: row.uri).map(PromptWords.state) ?? ""
    }

    private static func add(_ call: Invocation, _ hub: SteadyHub, at place: Place) async throws {
        _ = try call.operand(0, "something to add")
        let uris = try call.operands.map { try LocalPath.uri(for: $0, hub: hub.endpoint) }
        var added = 0
        // Parts that are to play next are sent in reverse order, because each is placed in front of the one before it.
        let parts = Array(URIParts(uris))
        for part in place == .next ? parts.reversed() : parts {
            added += try await hub.send(Commands.QueueAdd(part.map { ItemURI($0) }, at: place)).reply.queue?.ids?.count ?? 0
        }
        if call.json { return try await report(call, hub) }
        Output.line("Added \(added) \(added == 1 ? "entry" : "entries").")
    }

    /// The entries at the given places, counted from 1.
    private static func entries(_ call: Invocation, _ hub: SteadyHub) async throws -> [EntryID] {
        _ = try call.operand(0, "the number of an entry")
        let rows = try await rows(hub).rows
        return try call.operands.map { text throws(Stop) in
            if let entry = EntryID(text: text), rows.contains(where: { $0.entry == entry }) { return entry }
            guard let place = Int(text), rows.indices.contains(place - 1) else {
                throw Stop(.refused, "There is no entry \(text) in the queue; it has \(rows.count).")
            }
            return rows[place - 1].entry
        }
    }

    @Sendable private static func remove(_ call: Invocation, _ hub: SteadyHub) async throws {
        let ids = try await entries(call, hub)
        try await hub.send(Commands.QueueRemove(ids))
        try await list(call, hub)
    }

    @Sendable private static func jump(_ call: Invocation, _ hub: SteadyHub) async throws {
        let ids = try await entries(call, hub)
        try await hub.send(Commands.Jump(to: ids[0]))
        try await report(call, hub)
    }

    @Sendable private static func moveEntry(_ call: Invocation, _ hub: SteadyHub) async throws {
        let target = try call.operand(1, "the number of an entry and the place it shall have")
        guard let place = Int(target), place >= 1 else { throw Stop(.usage, "“\(target)” is no place in a queue. Places count from 1.") }
        var moving = call
        moving.operands = [call.operands[0]]
        let id = try await entries(moving, hub)[0]
        let others = try await rows(hub).rows.map(\.entry).filter { $0 != id }
        let anchor = others.prefix(place - 1).last
        try await hub.send(Commands.QueueMove([id], to: .after(anchor)))
        try await list(call, hub)
    }

    @Sendable private static func clear(_ call: Invocation, _ hub: SteadyHub) async throws {
        try call.expectNoOperands()
        guard let queue = await hub.mirror.queue else { return }
        try await hub.send(atRevision: queue.revision) { Commands.QueueClear(base: $0) }
        if call.json { return try await report(call, hub) }
        Output.line("The queue is empty.")
    }

    @Sendable private static func shuffle(_ call: Invocation, _ hub: SteadyHub) async throws {
        try call.expectNoOperands()
        guard let queue = await hub.mirror.queue else { return }
        try await hub.send(atRevision: queue.revision) { Commands.QueueShuffle(base: $0) }
        try await list(call, hub)
    }

    /// Tracks that are like the current entry, or like the one that is named.
    @Sendable private static func similar(_ call: Invocation, _ hub: SteadyHub) async throws {
        let rows = try await rows(hub).rows
        let current = await hub.mirror.queue?.current
        let chosen = call.operands.isEmpty ? current : try await entries(call, hub).first
        guard let row = rows.first(where: { $0.entry == chosen }), let item = row.uri else {
            throw Stop(.refused, "Nothing plays now. Name an entry of the queue: baton queue similar 3")
        }
        guard let similar = try await hub.send(Commands.Item(item)).answer?.details.similar else {
            throw Stop(.refused, "The source of “\(row.tags.title)” does not know what is like it.")
        }
        let added = try await hub.send(Commands.QueueAdd([similar], at: .end)).reply.queue?.ids?.count ?? 0
        if call.json { return try await report(call, hub) }
        Output.line("Added \(added) \(added == 1 ? "entry" : "entries").")
    }

    /// The name of an account, for what a server keeps.
    private static func source(_ call: Invocation) throws(Stop) -> String {
        guard call.operands.count == 1 else {
            throw Stop(.usage, "Name one source: baton \(call.verb) NAME. “baton source” shows which there are.")
        }
        return call.operands[0]
    }

    @Sendable private static func save(_ call: Invocation, _ hub: SteadyHub) async throws {
        let source = try source(call)
        let answered = try await hub.send(Commands.QueueSave(at: source))
        if call.json { return Output.json(answered) }
        let saved = try answered.whole()
        let passed = saved.passed == 0 ? "" : " \(saved.passed) cannot be kept there and \(saved.passed == 1 ? "was" : "were") passed over."
        Output.line("Saved \(saved.saved) \(saved.saved == 1 ? "entry" : "entries") at \(source).\(passed)")
    }

    @Sendable private static func goOn(_ call: Invocation, _ hub: SteadyHub) async throws {
        try await hub.send(Commands.QueueContinue(from: try source(call)))
        try await report(call, hub)
    }

    @Sendable private static func undo(_ call: Invocation, _ hub: SteadyHub) async throws {
        try call.expectNoOperands()
        try await hub.send(Commands.QueueUndo())
        try await list(call, hub)
    }

    @Sendable private static func history(_ call: Invocation, _ hub: SteadyHub) async throws {
        try call.expectNoOperands()
        let found = try await hub.send(Commands.QueueHistory())
        if call.json { return Output.json(found) }
        let edits = try found.whole().rows
        if edits.isEmpty { return Output.line("This queue was not edited lately.") }
        let now = Clock.wallMs()
        var table = Table()
        for edit in edits {
            table.add(
                TimeText.ago(ms: now - edit.atMs), edit.what, edit.count == 1 ? "1 entry" : "\(edit.count) entries", edit.author ?? "",
                edit.canUndo ? "can be undone" : "")
        }
        table.print()
    }
}
