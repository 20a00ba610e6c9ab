import BatonClient
import BatonCore
import BatonProtocol

/// Verbs for music generated from prompts.
extension Verb {
    @Sendable static func imagine(_ call: Invocation, _ satellite: Satellite) async throws {
        try await make(call, satellite, worker: call.options["worker"])
    }

    @Sendable static func compose(_ call: Invocation, _ satellite: Satellite) async throws {
        try await make(call, satellite, worker: "composer")
    }

    private static func make(_ call: Invocation, _ satellite: Satellite, worker: String?) async throws {
        let words = call.operands.joined(separator: " ")
        guard !words.isEmpty || call.options["preset"] != nil else {
            throw Stop(.usage, "\(call.verb) needs words: baton \(call.verb) \"slow piano for rain\".")
        }
        let target = try target(call)
        try await satellite.withHub(call, settings: call.options.has("wait") ? .lasting : nil) { [call] hub in
            _ = try await hub.state()
            let named = if let name = call.options["preset"] { try await preset(name, hub) } else { "" }
            let text = [named, words].filter { !$0.isEmpty }.joined(separator: " ")
            let parsed = try await hub.send(Commands.PromptParse(text, worker: worker)).whole()
            if let fault = parsed.faults.first { throw Stop(.usage, PromptWords.pointing(at: fault, in: text)) }
            guard parsed.action == .make, parsed.mode != .clip else {
                return try await carryOut(parsed, text: text, worker: worker, for: call, on: hub)
            }
            let answer = try await hub.send(Commands.JobBegin(text: text, worker: worker, target: target))
            let job = try answer.whole()
            if call.options.has("wait") { return try await follow(job.job, for: call, on: hub) }
            if call.json { return Output.json(answer) }
            Output.line("“\(parsed.prompt)” is being made (\(job.job)).\(await meanwhile(target, hub)) How far it is: baton jobs.")
        }
    }

    static func target(_ call: Invocation) throws -> JobTarget {
        let named: [(String, JobTarget)] = [("play", .play), ("next", .next), ("add", .end), ("no-queue", .none)]
        let given = named.filter { call.options.has($0.0) }
        guard given.count <= 1 else { throw Stop(.usage, "Choose one of --play, --next, --add and --no-queue.") }
        return given.first?.1 ?? .end
    }

    /// A sentence about what plays until the piece is ready.
    private static func meanwhile(_ target: JobTarget, _ hub: ReconnectingHub) async -> String {
        guard target == .play else { return "" }
        let mirror = await hub.mirror
        guard mirror.timeline?.state == .playing, let title = mirror.now?.tags.title else { return " It plays when it is ready." }
        return " “\(title)” plays on until it is ready; then it plays at once."
    }

    /// Shows the progress until the piece is ready or has failed.
    private static func follow(_ id: String, for call: Invocation, on hub: ReconnectingHub) async throws {
        var told = ""
        while true {
            let row = try await hub.send(Commands.JobList()).whole().rows.first { $0.job == id }
            guard let row else { throw Stop(.refused, "The hub has no job \(id) any more.") }
            let line = PromptWords.state(row)
            if Output.isTerminal, !call.json, line != told { Output.line(line) }
            told = line
            guard row.state.isOver else {
                try await Task.sleep(for: .milliseconds(400))
                continue
            }
            guard row.state == .ready else { throw Stop(.refused, "“\(row.title)” was not made. \(row.sentence ?? "It was cancelled.")") }
            return Output.done("“\(row.title)” is ready: \(row.uri.text)", call)
        }
    }

    // MARK: Jobs

    static let jobChoices: Choices = [
        "list": listJobs,
        "cancel": changes(job, by: { Commands.JobCancel($0) }, says: { "\($0) is not made any longer." }),
        "retry": changes(job, by: { Commands.JobRetry($0) }, says: { "\($0) is made anew." }),
        "approve": changes(job, by: { Commands.JobApprove($0) }, says: { "\($0) may be made." }),
        "keep": changes(job, by: { Commands.JobKeep($0) }, says: { "\($0) keeps its sound." }),
        "unkeep": changes(job, by: { Commands.JobKeep($0, isOn: false) }, says: { "\($0) may make room." }),
        "recipe": showRecipe,
    ]

    @Sendable private static func listJobs(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let (list, raw) = try await hub.jobs()
        if call.json { return Output.json { $0.value(raw) } }
        if list.rows.isEmpty { return Output.line("Nothing was made yet. Have something made: baton imagine \"slow piano for rain\".") }
        var table = Table(["", "title", "state", "by", "worker", "why"], call.ink)
        table.paint(column: 1, .bold)
        for (number, row) in list.rows.enumerated() {
            table.add("\(number + 1)", row.title, PromptWords.state(row), row.author ?? "", row.worker, row.sentence ?? "")
        }
        table.print()
    }

    /// Prints the line that `baton again` takes.
    @Sendable private static func showRecipe(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let id = try await job(call, hub)
        guard let row = try await hub.jobs().list.rows.first(where: { $0.job == id }) else {
            throw Stop(.refused, "The hub has no job “\(id)”.")
        }
        guard let recipe = row.recipe else {
            throw Stop(.refused, "“\(row.title)” has no recipe: only finished pieces of the composer have one.")
        }
        Output.done(recipe, call)
    }

    /// The id of the job that the operand gives by id or by its row in `jobs`.
    @Sendable private static func job(_ call: Invocation, _ hub: ReconnectingHub) async throws -> String {
        guard call.operands.count == 1 else { throw Stop(.usage, "\(call.verb) needs one row of baton jobs, or the id of a job.") }
        let rows = try await hub.jobs().list.rows
        if let number = Int(call.operands[0]), rows.indices.contains(number - 1) { return rows[number - 1].job }
        return call.operands[0]
    }
}

/// Sentences about prompts and jobs.
enum PromptWords {
    static func state(_ row: JobRow) -> String {
        switch row.state {
        case .running: "\(row.percent) %" + (row.estimateMs.map { " of about \(TimeText.show(ms: $0))" } ?? "")
        case .ready: (row.durationMs.map { TimeText.show(ms: $0) } ?? "ready") + (row.isKept ? ", kept" : "")
        case .submitting, .queued: "waits"
        case .offline: "waits for its worker"
        case .approval: "waits for approval"
        default: row.state.name
        }
    }

    /// The sentence, with a mark below the position in the line.
    static func pointing(at fault: PromptFault, in text: String) -> String {
        let marks = String(repeating: " ", count: fault.from) + String(repeating: "^", count: max(1, fault.to - fault.from))
        return "\(fault.sentence)\n  \(text)\n  \(marks)"
    }
}
