import BatonClient
import BatonProtocol
import Glibc

/// Verbs for server accounts. Passwords are typed invisibly, piped in, or read from a file. They are never arguments,
/// because all users of a machine can read the arguments of programs.
extension Verb {
    @Sendable static func source(_ call: Invocation, _ satellite: Satellite) async throws {
        let choices: Choices = [
            "list": listSources, "add": addSource, "test": testSource,
            "rename": changes(
                titled, by: { Commands.SourceSet($0.name, title: $0.title) },
                says: { "\($0.name) is called “\($0.title)” now." }, list: listSources),
            "set": setSource,
            "disable": changes(
                word("the name of a source"), by: { Commands.SourceSet($0, isEnabled: false) },
                says: { "\($0) is switched off. Its items stay in lists, shown as away." }, list: listSources),
            "enable": enableSource,
            "sync": changes(
                word("the name of a source"), by: { Commands.SourceSync($0) }, says: { "The hub reads the rows of \($0)." },
                unchanged: { _ in "The hub reads them already." }, list: listSources),
            "rescan": changes(
                word("the name of a source"), by: { Commands.SourceSync($0, rescan: true) },
                says: { "The server looks for new music: \($0)." }, unchanged: { _ in "It does so already." }, list: listSources),
            "upload": { call, hub in try await uploadToSource(for: call, on: hub, of: satellite) }, "pending": pendingOfSource,
            "remove": changes(
                word("the name of a source"), by: { Commands.SourceRemove($0) },
                says: { "\($0) is removed, and its password with it. Playlists and history keep its items." },
                unchanged: { "There was no source called \($0)." },
                confirming: { "Removing the account “\($0)” and its password" }, list: listSources),
        ]
        try await choose(among: choices, call, satellite)
    }

    // MARK: Listing

    @Sendable private static func listSources(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let found = try await hub.send(Commands.Sources())
        if call.json { return Output.json(found) }
        let list = try found.whole()
        if list.rows.isEmpty {
            let kinds = list.kinds.map(\.name).joined(separator: " or ")
            return Output.line(
                "No server yet. Add one: baton source add NAME KIND URL, where KIND is \(kinds.isEmpty ? "not known to this hub" : kinds).")
        }
        let states = await hub.mirror.sources?.sources ?? []
        var table = Table(["name", "title", "kind", "where", "state"], call.ink)
        table.paint(column: 0, .bold)
        for row in list.rows {
            let source = states.first { $0.name == row.name }
            table.add(row.name, row.title == row.name ? "" : row.title, row.kind, row.url ?? "", source.map(SourceWords.state) ?? "")
        }
        table.print()
    }

    @Sendable private static func testSource(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let name = try call.onlyOperand("the name of a source")
        let found = try await hub.send(Commands.SourceTest(name: name))
        if call.json { return Output.json(found) }
        try tell(name, try found.whole())
    }

    /// Tests an account after a change. If the server asks for a code and a person is there, it is typed.
    private static func testAsking(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        for _ in 0..<3 where isatty(STDIN_FILENO) == 1 {
            let tested = try await hub.send(Commands.SourceTest(name: call.operands[0])).whole()
            guard tested.asks == "code", let code = SourceLogin.typedCode(for: call.operands[0]) else { break }
            try await hub.send(Commands.SourceSet(call.operands[0], login: SourceLogin(code: code)))
        }
        try await testSource(call, hub)
    }

    private static func tell(_ name: String, _ tested: SourceTested) throws(Stop) {
        switch tested.state {
        case .ok: Output.line("\(name) can be used; its server answered in \(tested.latencyMs ?? 0) ms.")
        case .disabled: throw Stop(.refused, "\(name) is switched off. Switch it on: baton source enable \(name)")
        default: throw Stop(.refused, tested.sentence ?? "\(name) is \(tested.state.name).")
        }
    }

    @Sendable private static func pendingOfSource(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let name = try call.onlyOperand("the name of a source")
        let found = try await hub.send(Commands.SourcePending(name, isDropped: call.options.has("drop")))
        if call.json { return Output.json(found) }
        let notes = try found.whole()
        if let dropped = notes.dropped { return Output.line("Forgotten: \(dropped).") }
        if notes.rows.isEmpty { return Output.line("The server knows everything that was done here.") }
        let now = Clock.wallMs()
        var table = Table(["what", "of", "when", "", "why"], call.ink)
        for note in notes.rows {
            let tries = note.isRefused ? "refused" : note.tries == 0 ? "" : note.tries == 1 ? "tried once" : "tried \(note.tries) times"
            table.add(note.what, note.uri?.text ?? "", TimeText.ago(ms: now - note.atMs), tries, note.sentence ?? "")
        }
        table.print()
        if notes.total > notes.rows.count { Output.line("and \(notes.total - notes.rows.count) more") }
    }

    // MARK: Changing

    @Sendable private static func addSource(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let name = try call.operand(0, "a name, a kind and a URL")
        let kind = try call.operand(1, "a kind of server, and its URL")
        let url = try call.operand(2, "the URL of the server")
        guard call.operands.count == 3 else { throw Stop(.usage, "source add takes a name, a kind and a URL.") }
        let new = Commands.SourceAdd(
            name, kind: kind, url: url, title: call.options["title"], login: try SourceLogin(askedFor: call, at: url),
            options: try call.sourceOptions() ?? [:])
        if !call.options.has("untested") { try await tryOut(new, hub) }
        let outcome = try await hub.send(new).reply.outcome
        if case .noop = outcome, !call.json { Output.line("It is there already.") }
        try await testAsking(call.naming(name), hub)
    }

    /// Tests a new account and refuses one that does not work, so that a wrong address or password leaves nothing
    /// behind. If only a code is missing, user and password are right. The code is then asked for after the account
    /// is stored, because it can be used only once.
    private static func tryOut(_ new: Commands.SourceAdd, _ hub: ReconnectingHub) async throws {
        var trial = Commands.SourceTest(kind: new.kind, url: new.url, login: new.login, options: new.options)
        trial.login.code = nil
        let tested: SourceTested
        do {
            tested = try await hub.send(trial).whole()
        } catch let error as WireError where error.known == .badRequest && error.at == "/p/name" {
            return  // An older hub tests only stored accounts.
        }
        if tested.asks == "code", new.login.code != nil || isatty(STDIN_FILENO) == 1 { return }
        if tested.asks == "code" {
            throw Stop(
                .refused,
                "\(tested.sentence ?? "The server asks for a code.") Nothing was kept. To add \(new.name): the same once more with --code CODE."
            )
        }
        guard tested.state == .ok else {
            throw Stop(.refused, "\(tested.sentence ?? tested.state.name) Nothing was kept; --untested keeps the account all the same.")
        }
    }

    @Sendable private static func setSource(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let name = try call.onlyOperand("the name of a source")
        var change = Commands.SourceSet(name, title: call.options["title"], url: call.options["url"], options: try call.sourceOptions())
        let hasLogin = ["user", "password-file", "api-key-file"].contains { call.options[$0] != nil }
        change.login.code = call.options["code"]
        // Without any option, the login is entered again.
        if hasLogin || change == Commands.SourceSet(name) { change.login = try SourceLogin(askedFor: call, at: change.url ?? name) }
        try await hub.send(change)
        try await testAsking(call.naming(name), hub)
    }

    @Sendable private static func titled(_ call: Invocation, _ hub: ReconnectingHub) throws -> (name: String, title: String) {
        let name = try call.operand(0, "a source and its new title")
        let title = call.operands.dropFirst().joined(separator: " ")
        guard !title.isEmpty else { throw Stop(.usage, "source rename needs a title behind the name. The name itself never changes.") }
        return (name, title)
    }

    @Sendable private static func enableSource(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let name = try call.onlyOperand("the name of a source")
        try await hub.send(Commands.SourceSet(name, isEnabled: true))
        try await testSource(call, hub)
    }
}

/// Sentences about the state of a source.
enum SourceWords {
    static func state(_ source: SourcesSection.Source) -> String {
        let sync = source.mirror?.done.map { done in "reading its rows: \(done)" + (source.mirror?.total.map { " of \($0)" } ?? "") }
        let waiting = source.pending > 0 ? "\(source.pending) to be told" : nil
        let refused = source.refused > 0 ? "\(source.refused) refused" : nil
        let saved = source.saved.map { "to go on with: \($0.title)" }
        return [how(source), waiting, refused, sync, saved].compactMap { $0 }.joined(separator: ", ")
    }

    private static func how(_ source: SourcesSection.Source) -> String {
        switch source.state {
        case .ok: source.latencyMs.map { "ok, \($0) ms" } ?? "ok"
        case .checking: "is being asked"
        case .disabled: "switched off"
        case .down, .unconfigured: source.sentence ?? source.state.name
        case .unrecognised(let name): name
        }
    }
}
