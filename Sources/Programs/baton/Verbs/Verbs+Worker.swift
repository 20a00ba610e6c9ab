import BatonClient
import BatonProtocol

/// Verbs for workers that generate music. A token is read from a file; it is never an argument, because all users of
/// a machine can read the arguments of programs.
extension Verb {
    static let workerChoices: Choices = [
        "list": listWorkers, "add": addWorker, "test": testWorker,
        "default": changes(
            word("the name of a worker"), by: { Commands.WorkerDefault($0) },
            says: { "\($0) makes what no other worker is named for." }, list: listWorkers),
        "remove": changes(
            word("the name of a worker"), by: { Commands.WorkerRemove($0) },
            says: { "\($0) is removed, and its token with it. What it made stays." }, unchanged: { "There was no worker called \($0)." },
            confirming: { "Removing the worker \($0)" }, list: listWorkers),
    ]

    @Sendable private static func listWorkers(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let found = try await hub.send(Commands.Workers())
        if call.json { return Output.json(found) }
        let list = try found.whole()
        if list.rows.isEmpty {
            return Output.line("No worker yet. Add a service: baton worker add NAME URL; or install the composer of this package.")
        }
        let now = Clock.wallMs()
        var table = Table(["", "name", "kind", "where", "state", "asked", ""], call.ink)
        table.paint(column: 1, .bold)
        for row in list.rows {
            let asked = row.polledMs.map { TimeText.ago(ms: now - $0) } ?? ""
            table.add(
                row.isUsual ? "*" : "", row.name, row.kind, row.url ?? row.program ?? "", row.state.name, asked,
                row.sentence ?? row.models.joined(separator: ", "))
        }
        table.print()
    }

    @Sendable private static func testWorker(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let name = try call.onlyOperand("the name of a worker")
        let found = try await hub.send(Commands.WorkerTest(name: name))
        if call.json { return Output.json(found) }
        let tested = try found.whole()
        guard tested.state == .ready || tested.state == .placeholder else {
            throw Stop(.refused, tested.sentence ?? "\(name) is \(tested.state.name).")
        }
        Output.line(tested.sentence ?? "\(name) can be used; it answered in \(tested.latencyMs ?? 0) ms.")
    }

    @Sendable private static func addWorker(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let name = try call.operand(0, "a name, and a URL or --program")
        guard call.operands.count == (call.options.has("program") ? 1 : 2) else {
            throw Stop(.usage, "worker add takes a name and a URL, or a name and --program.")
        }
        let new = Commands.WorkerAdd(
            name, url: call.operands.count == 2 ? call.operands[1] : nil,
            token: try call.options["token-file"].map { path throws(Stop) in WorkerToken(try SourceLogin.firstLine(of: path)) },
            program: call.options["program"], isConfined: !call.options.has("no-sandbox"), map: call.options["map"])
        if let url = new.url, !call.options.has("untested") {
            let tested = try await hub.send(Commands.WorkerTest(url: url, token: new.token)).whole()
            guard tested.state == .ready || tested.state == .placeholder else {
                throw Stop(.refused, "\(tested.sentence ?? tested.state.name) Nothing was kept; --untested keeps the worker all the same.")
            }
        }
        let outcome = try await hub.send(new).reply.outcome
        if case .noop = outcome, !call.json { Output.line("It is there already.") }
        if call.options.has("untested") { return Output.done("\(name) is kept, and was not asked.", call) }
        try await testWorker(call.naming(name), hub)
    }
}
