import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs that show and edit the queue. People count rows from 1; the hub identifies entries by id, so that an edit
/// never changes an entry that has moved to that row meanwhile.
extension Verb {
    static let queueEdits: Choices = [
        "list": list, "add": { try await add($0, $1, at: .end) }, "next": { try await add($0, $1, at: .next) }, "remove": remove,
        "move": moveEntry, "jump": jump, "clear": clear, "crop": crop, "load": load, "shuffle": shuffleQueue, "similar": similar,
        "save": save,
        "continue": goOn, "undo": undo, "history": history,
    ]

    /// All rows, page by page.
    private static func rows(_ hub: ReconnectingHub) async throws -> QueuePage {
        var whole = QueuePage([], revision: 0, length: 0, from: 0)
        repeat {
            let page = try await hub.ask(Commands.QueueWindow(from: whole.rows.count))
            // An edit between two pages shifts the rows, so reading starts over.
            if page.revision != whole.revision, !whole.rows.isEmpty { whole.rows = [] } else { whole.rows += page.rows }
            whole.revision = page.revision
            whole.length = page.length
            if page.rows.isEmpty { break }
        } while whole.rows.count < whole.length
        return whole
    }

    @Sendable private static func list(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let page = try await rows(hub)
        if call.json { return Output.json { page.encode(into: &$0, bytes: .max / 2) } }
        let mirror = await hub.mirror
        let current = mirror.queue?.current
        if page.rows.isEmpty { return Output.line("The queue is empty.") }
        await call.remember(page.rows.map { LastListing.Row(uri: $0.uri?.text ?? "", entry: $0.entry.text) }, of: hub)
        if let format = call.format {
            for (index, row) in page.rows.enumerated() { Output.verbatim(ItemFields(number: index + 1, row).filled(into: format)) }
            return
        }
        let now = Clock.wallMs()
        let ink = call.ink
        var table = Table(["", "title", "length", "by", "added", ""], ink)
        table.paint(column: 2, .faint)
        table.paint(column: 3, .faint)
        for (index, row) in page.rows.enumerated() {
            let text = (row.tags.artists.isEmpty ? "" : row.tags.artists.joined(separator: ", ") + " – ") + row.tags.title
            let cells = ["\(row.entry == current ? ">" : " ") \(index + 1)", text, length(of: row, mirror)]
            let added = row.addedAtMs > 0 ? TimeText.ago(ms: now - row.addedAtMs) : ""
            let kept = row.kept.map { $0.isWhole ? "kept" : "kept \($0.percent) %" } ?? ""
            table.add(call.options.has("long") ? cells + [row.addedBy ?? "", added, kept] : cells)
        }
        table.print()
    }

    /// The length of a row. A piece that is being generated has none and shows its progress.
    private static func length(of row: QueueRow, _ mirror: Mirror) -> String {
        if let durationMs = row.tags.durationMs { return TimeText.show(ms: durationMs) }
        return mirror.job(of: row.uri).map(PromptWords.state) ?? ""
    }

    private static func add(_ call: Invocation, _ hub: ReconnectingHub, at place: InsertionPoint) async throws {
        _ = try call.operand(0, "something to add")
        try await add(try await call.uris(of: call.operands, hub), for: call, on: hub, at: place)
    }

    private static func add(_ uris: [String], for call: Invocation, on hub: ReconnectingHub, at place: InsertionPoint) async throws {
        var added = 0
        // Parts that play next are sent in reverse order, because each is inserted before the earlier one.
        let parts = Array(URIParts(uris))
        for part in place == .next ? parts.reversed() : parts {
            added += try await hub.send(Commands.QueueAdd(part.map { ItemURI($0) }, place: place)).reply.queue?.ids?.count ?? 0
        }
        if call.json || call.format != nil { return try await report(call, hub) }
        Output.line("Added \(added) \(added == 1 ? "entry" : "entries").")
    }

    /// Adds a playlist of the hub or a server to the end of the queue.
    @Sendable private static func load(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let name = try call.onlyOperand("a playlist")
        let uri =
            name.contains(":") || LastListing.numbers(name) != nil ? try await call.uri(of: name, hub) : try await list(call, hub).id.uri
        try await add([uri.text], for: call, on: hub, at: .end)
    }

    /// The entries at the given rows, counted from 1, or in ranges such as `2-4`.
    static func entries(_ call: Invocation, _ hub: ReconnectingHub) async throws -> [EntryID] {
        _ = try call.operand(0, "the number of an entry")
        let rows = try await rows(hub).rows
        return try call.operands.flatMap { text throws(Stop) -> [EntryID] in
            if let entry = EntryID(text: text), rows.contains(where: { $0.entry == entry }) { return [entry] }
            guard let places = LastListing.numbers(text), places.upperBound <= rows.count else {
                throw Stop(.refused, "There is no entry \(text) in the queue; it has \(rows.count).")
            }
            return rows[(places.lowerBound - 1)..<places.upperBound].map(\.entry)
        }
    }

    @Sendable private static func remove(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try await remove(try await entries(call, hub), hub)
        try await list(call, hub)
    }

    @Sendable private static func jump(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let ids = try await entries(call, hub)
        try await hub.send(Commands.Jump(ids[0]))
        try await report(call, hub)
    }

    @Sendable private static func moveEntry(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let target = try call.operand(1, "the number of an entry and the place it shall have")
        guard call.operands.count == 2 else { throw Stop(.usage, "queue move takes an entry, or a range of them, and one place.") }
        let place = try QueueTarget(target)
        var moving = call
        moving.operands = [call.operands[0]]
        let ids = try await entries(moving, hub)
        let current = await hub.mirror.queue?.current
        let others = try await rows(hub).rows.map(\.entry).filter { !ids.contains($0) }
        try await hub.send(Commands.QueueMove(ids, anchor: place.place(among: others, current: current)))
        try await list(call.alone, hub)
    }

    /// Removes all entries except the current one.
    @Sendable private static func crop(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        guard let current = await hub.mirror.queue?.current else { throw Stop(.refused, "Nothing is in front that could stay.") }
        try await remove(try await rows(hub).rows.map(\.entry).filter { $0 != current }, hub)
        try await list(call, hub)
    }

    private static func remove(_ ids: [EntryID], _ hub: ReconnectingHub) async throws {
        for start in stride(from: 0, to: ids.count, by: mostAtOnce) {
            try await hub.send(Commands.QueueRemove(Array(ids[start..<min(ids.count, start + mostAtOnce)])))
        }
    }

    /// Limit of ids in a message.
    private static let mostAtOnce = 500

    @Sendable private static func clear(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        guard let queue = await hub.mirror.queue else { return }
        try await hub.send(atRevision: queue.revision) { Commands.QueueClear($0) }
        if call.json { return try await report(call, hub) }
        Output.line("The queue is empty.")
    }

    @Sendable private static func shuffleQueue(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        guard let queue = await hub.mirror.queue else { return }
        try await hub.send(atRevision: queue.revision) { Commands.QueueShuffle($0) }
        try await list(call, hub)
    }

    /// Finds tracks similar to the current entry, or to the given one.
    @Sendable private static func similar(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let rows = try await rows(hub).rows
        let current = await hub.mirror.queue?.current
        let chosen = call.operands.isEmpty ? current : try await entries(call, hub).first
        guard let row = rows.first(where: { $0.entry == chosen }), let item = row.uri else {
            throw Stop(.refused, "Nothing plays now. Name an entry of the queue: baton queue similar 3")
        }
        guard let similar = try await hub.send(Commands.Item(item)).answer?.details.similar else {
            throw Stop(.refused, "The source of “\(row.tags.title)” does not know what is like it.")
        }
        let added = try await hub.send(Commands.QueueAdd([similar], place: .end)).reply.queue?.ids?.count ?? 0
        if call.json { return try await report(call, hub) }
        Output.line("Added \(added) \(added == 1 ? "entry" : "entries").")
    }

    /// The name of the account for a queue on a server.
    private static func source(_ call: Invocation) throws(Stop) -> String {
        guard call.operands.count == 1 else {
            throw Stop(.usage, "Name one source: baton \(call.verb) NAME. “baton source” shows which there are.")
        }
        return call.operands[0]
    }

    @Sendable private static func save(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let source = try source(call)
        let answered = try await hub.send(Commands.QueueSave(source))
        if call.json { return Output.json(answered) }
        let saved = try answered.whole()
        let passed =
            saved.passed == 0 ? "" : " \(saved.passed) cannot be stored there and \(saved.passed == 1 ? "was" : "were") passed over."
        Output.line("Saved \(saved.saved) \(saved.saved == 1 ? "entry" : "entries") at \(source).\(passed)")
    }

    @Sendable private static func goOn(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try await hub.send(Commands.QueueContinue(try source(call)))
        try await report(call, hub)
    }

    @Sendable private static func undo(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        try await hub.send(Commands.QueueUndo())
        try await list(call, hub)
    }

    @Sendable private static func history(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let found = try await hub.send(Commands.QueueHistory())
        if call.json { return Output.json(found) }
        let edits = try found.whole().rows
        if edits.isEmpty { return Output.line("This queue was not edited lately.") }
        let now = Clock.wallMs()
        var table = Table(["when", "what", "", "by", ""], call.ink)
        for edit in edits {
            table.add(
                TimeText.ago(ms: now - edit.atMs), edit.what, edit.count == 1 ? "1 entry" : "\(edit.count) entries", edit.author ?? "",
                edit.canUndo ? "can be undone" : "")
        }
        table.print()
    }
}

/// The target of a move: a row counted from 1, `top`, `next` or `end`.
enum QueueTarget: Equatable {
    case at(Int)
    case top, next, end

    init(_ text: String) throws(Stop) {
        switch text.lowercased() {
        case "top", "first": self = .top
        case "next": self = .next
        case "end", "bottom", "last": self = .end
        default:
            guard let number = Int(text), number >= 1 else {
                throw Stop(.usage, "“\(text)” is no place in a queue. Write a number from 1, top, next or end.")
            }
            self = .at(number)
        }
    }

    /// The place in the protocol's form. `others` are the entries that do not move.
    func place(among others: [EntryID], current: EntryID?) -> InsertionPoint {
        switch self {
        case .at(let number): .after(others.prefix(number - 1).last)
        case .top: .after(nil)
        case .next: current.map { others.contains($0) ? .after($0) : .after(nil) } ?? .after(nil)
        case .end: .after(others.last)
        }
    }
}
