import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Verbs for the library as a whole: its folders, scans and history.
extension Verb {
    static let libraryEdits: Choices = [
        "list": listFolders,
        "add": changes(
            newFolder, by: { $0 }, says: added, unchanged: { _ in "It is in the library already." }, list: listFolders),
        "remove": changes(
            oldFolder, by: { Commands.FolderSet($0, isOn: false) },
            says: { _ in "Taken out. The files stay where they are, and what was thought of them is kept." },
            unchanged: { _ in "It was not in the library." }, confirming: { "Taking \($0) out of the library" }, list: listFolders),
    ]

    @Sendable private static func listFolders(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let found = try await hub.send(Commands.Folders())
        if call.json { return Output.json(found) }
        let answer = try found.whole()
        if answer.folders.isEmpty { return Output.line("The library has no folder yet. Add one: baton library add FOLDER") }
        var table = Table(["folder", "holds", ""], call.ink)
        for folder in answer.folders {
            let noun = folder.holds == .books ? "book" : "track"
            table.add(folder.path, folder.tracks == 1 ? "1 \(noun)" : "\(folder.tracks) \(noun)s", folder.problem ?? "")
        }
        table.print()
        if let library = await hub.mirror.library {
            let counts = [(library.tracks, "track"), (library.albums, "album"), (library.artists, "artist")]
            Output.line(counts.map { $0.0 == 1 ? "1 \($0.1)" : "\($0.0) \($0.1)s" }.joined(separator: ", "))
        }
        if let report = answer.report { Output.line(ScanText.sentence(report)) }
    }

    @Sendable private static func newFolder(_ call: Invocation, _ hub: ReconnectingHub) throws -> Commands.FolderSet {
        let folder = try LocalPath.uri(for: call.onlyOperand("a folder"), hub: hub.endpoint)
        return Commands.FolderSet(folder, isOn: true, holds: call.options.has("books") ? .books : call.options.has("music") ? .music : nil)
    }

    @Sendable private static func added(_ folder: Commands.FolderSet) -> String {
        let noun = folder.holds == .books ? "books appear as they are" : "music appears as it is"
        return "Added. Its \(noun) read: baton scan --wait shows how far that is."
    }

    /// The path of a folder to remove, which may be missing on the disk.
    @Sendable private static func oldFolder(_ call: Invocation, _ hub: ReconnectingHub) throws -> String {
        let text = try call.onlyOperand("a folder")
        return (try? LocalPath.uri(for: text, hub: hub.endpoint)) ?? text
    }

    // MARK: Scanning

    @Sendable static func scan(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            _ = try await hub.state()
            let changes = await hub.changes()
            let outcome = try await hub.send(Commands.Scan(isFull: call.options.has("full"))).reply.outcome
            if case .noop = outcome { Output.trouble("A scan goes on already.") }
            let isWatched = Output.isTerminal && !call.json
            if call.options.has("wait") || isWatched {
                try await follow(changes, on: hub, bar: isWatched ? ScanBar() : nil)
            }
            let found = try await hub.send(Commands.Folders())
            if call.json { return Output.json(found) }
            guard let report = found.answer?.report else { return Output.line("The hub looks for changes.") }
            for problem in report.problems { Output.trouble(problem) }
            Output.line(ScanText.sentence(report))
        }
    }

    /// Time limit until the state shows the scan. A short scan may begin and end between two states.
    private static let begins = Duration.milliseconds(1500)

    private static func follow(_ changes: AsyncStream<ReconnectingHub.Change>, on hub: ReconnectingHub, bar: ScanBar?) async throws {
        try? await limited(to: begins, sentence: "") {
            while await hub.mirror.library?.scan == nil { try await Task.sleep(for: .milliseconds(20)) }
        }
        guard await hub.mirror.library?.scan != nil else { return }
        var lines = ScanText()
        for await change in changes {
            guard case .hub(.state(let mirror)) = change else { continue }
            if let scan = mirror.library?.scan {
                if let bar { bar.show(scan) } else if let line = lines.next(scan) { Output.line(line) }
            }
            if await hub.mirror.library?.scan == nil { break }
        }
        bar?.clear()
    }

    // MARK: History

    @Sendable static func heard(_ call: Invocation, _ satellite: Satellite) async throws {
        try call.expectNoOperands()
        try await satellite.withHub(call) { hub in
            let mirror = try await hub.state()
            let found = try await hub.send(Commands.PlayedHistory())
            if call.json { return Output.json(found) }
            let rows = try found.whole().rows
            if rows.isEmpty { return Output.line("Nothing was heard to its half yet.") }
            let names = RoomNames(mirror)
            let now = Clock.wallMs()
            var lines = ItemLines(call, more: ["room", "when", "asked by"])
            for row in rows {
                let room = names.hasSeveral ? names.name(of: row.room) : ""
                lines.add(row.item, behind: [room, TimeText.ago(ms: now - row.atMs), row.askedBy ?? ""]) { item in
                    (item.by, item.atMs) = (row.askedBy, row.atMs)
                }
            }
            lines.print()
            await call.remember(rows.map(\.item), of: hub)
        }
    }
}
