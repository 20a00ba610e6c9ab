/// Endless music in a room: the wishes for its pieces, and the decision when to request the next one.
///
/// A value that decides; it knows no clock, store or queue. The pieces of a run are numbered from 1, and the number is part of the job's id. So a
/// piece that was requested before a restart is found again, and is not requested twice.
package struct EndlessPlan: Equatable, Sendable {
    /// The material that each piece continues.
    package typealias Follow = EndlessFollow

    /// The wish of the person who turned it on; a changed one shapes the pieces that are requested later.
    package struct Wish: Equatable, Sendable {
        package var prompt: String
        /// Length of each piece in seconds.
        package var durationS: Int
        /// Number of pieces that wait behind the current one.
        package var ahead: Int
        /// The material that the next piece continues.
        package var follow: Follow
        /// The worker; `nil` is the built-in composer.
        package var worker: String?
        /// The worker's model; `nil` leaves the choice to the worker.
        package var model: String?
        /// Closeness to the prompt, a decimal number from 0 to 20 as text; `nil` is the worker's own.
        package var cfg: String?

        package init(
            prompt: String, durationS: Int = GenerationRequest.usualS, ahead: Int = usualAhead, follow: Follow = .motif,
            worker: String? = nil, model: String? = nil, cfg: String? = nil
        ) {
            self.prompt = prompt
            self.durationS = durationS
            self.ahead = ahead
            self.follow = follow
            self.worker = worker
            self.model = model
            self.cfg = cfg
        }
    }

    /// A steering wish, and the piece that it was for.
    package struct Press: Equatable, Sendable {
        /// The direction in which the piece should differ.
        package var steer: Steer
        /// The number of the piece that it shapes.
        package var piece: Int
        /// The id of its command, so that a repeated command counts once.
        package var once: String
    }

    /// Number of generated pieces behind the current one; further ones would be made for nothing if the music is changed.
    public static let aheadRange = 1...5
    /// The value of `ahead` where a person named none.
    package static let usualAhead = 2
    /// Time without a press after which no more pieces are requested.
    package static let patienceMs: Milliseconds = 3 * 3600 * 1000
    /// Time after a failure of the named worker during which the built-in composer is used.
    package static let distrustMs: Milliseconds = 10 * 60 * 1000
    /// Number of failures in a row after which the run ends.
    package static let mostFailures = 3
    private static let mostKept = 16

    /// The first part of the ids of its jobs.
    package let run: String
    /// The current wish, which the owner of the plan replaces when a person changes it.
    package var wish: Wish
    /// The name of the person who turned it on; `nil` where it is not known.
    package var author: String?
    /// Wall clock time at which the run began.
    package let startedMs: Milliseconds
    /// The last time that a person did something in the room; wall clock.
    package var pressedMs: Milliseconds
    /// The number of the piece requested last.
    package private(set) var made = 0
    /// The recipe of the built-in composer's last piece.
    package private(set) var recipe: String?
    /// The latest presses, at most 16, for pieces that are still to be made and for repeated commands.
    package private(set) var presses: [Press] = []
    /// The time until which the named worker is not used.
    package private(set) var distrustedUntilMs: Milliseconds = 0
    /// The reason why the run ended by itself.
    package private(set) var ended: String?

    /// True until the run has ended, after which it requests nothing.
    package var isOn: Bool { ended == nil }

    /// A run that begins now. `run` is unique, because job ids are made from it.
    package init(run: String, _ wish: Wish, author: String?, atMs nowMs: Milliseconds) {
        self.run = run
        self.wish = wish
        self.author = author
        startedMs = nowMs
        pressedMs = nowMs
    }

    // MARK: The pieces

    /// The job id of a piece, which `number(of:)` reads back after a restart.
    package func id(_ number: Int) -> String { "\(run)-\(number)" }

    /// The number of a job's piece, if it belongs to this run.
    package func number(of job: String) -> Int? {
        guard job.hasPrefix(run + "-") else { return nil }
        return Int(job.dropFirst(run.count + 1)).flatMap { $0 > 0 ? $0 : nil }
    }

    /// A piece as the store and the queue know it.
    package struct Piece: Equatable, Sendable {
        /// The number in its run, from 1.
        package var number: Int
        package var state: GenerationJob.State
        /// True if the built-in composer makes it, whose failures say nothing about the named worker.
        package var isBuiltIn: Bool
        /// True when its entry is behind the current one.
        package var isAhead: Bool
        /// The reason why it failed.
        package var sentence: String?

        package init(number: Int, state: GenerationJob.State, isBuiltIn: Bool, isAhead: Bool, sentence: String? = nil) {
            self.number = number
            self.state = state
            self.isBuiltIn = isBuiltIn
            self.isAhead = isAhead
            self.sentence = sentence
        }
    }

    /// A step that the owner of the plan carries out.
    package enum Step: Equatable, Sendable {
        /// Requests a piece, from the built-in composer or from the named worker.
        case make(number: Int, isBuiltIn: Bool)
        /// Removes the entry of a piece whose worker is unavailable, to make room for another piece.
        case drop(number: Int)
        /// Ends the run with this sentence for people.
        case end(String)
    }

    /// The next steps. At most one new piece is requested at a time.
    package mutating func steps(_ pieces: [Piece], nowMs: Milliseconds) -> [Step] {
        guard isOn else { return [] }
        if nowMs - pressedMs >= Self.patienceMs {
            return end("Endless music ended, since nothing was pressed for 3 hours.")
        }
        let newest = pieces.sorted { $0.number > $1.number }
        let failed = newest.prefix { $0.state == .failed }
        if failed.count >= Self.mostFailures {
            let why = failed.first?.sentence.map { " " + $0 } ?? ""
            return end("Endless music ended, since \(Self.mostFailures) pieces in a row could not be made.\(why)")
        }
        let away = newest.filter { $0.isWaitingForWorker }
        if !away.isEmpty || failed.first.map({ !$0.isBuiltIn }) == true { distrustedUntilMs = nowMs + Self.distrustMs }
        var steps = away.filter(\.isAhead).map { Step.drop(number: $0.number) }
        if pieces.count(where: \.counts) < wish.ahead {
            let number = max(made, newest.first?.number ?? 0) + 1
            steps.append(.make(number: number, isBuiltIn: wish.worker == nil || nowMs < distrustedUntilMs))
        }
        return steps
    }

    private mutating func end(_ sentence: String) -> [Step] {
        ended = sentence
        return [.end(sentence)]
    }

    /// Ends the run for a reason found elsewhere.
    package mutating func stop(_ sentence: String) { ended = sentence }

    /// Notes that this piece is requested; later presses shape the next one. `recipe` is that of the built-in composer.
    package mutating func ask(for number: Int, recipe: String?) {
        made = max(made, number)
        self.recipe = recipe ?? self.recipe
    }

    // MARK: Steering

    /// The piece that the next press shapes. Requested pieces stay as they are.
    package var next: Int { made + 1 }

    /// Notes a press, and returns the piece that it shapes; a press that was noted before counts once.
    package mutating func press(_ steer: Steer, once: String) -> Int {
        if let known = presses.first(where: { $0.once == once }) { return known.piece }
        presses.append(Press(steer: steer, piece: next, once: once))
        if presses.count > Self.mostKept { presses.removeFirst() }
        return next
    }

    /// The presses that shape a piece, in the order in which they came.
    package func steering(of piece: Int) -> [Steer] { presses.filter { $0.piece == piece }.map(\.steer) }
}

extension EndlessPlan.Piece {
    /// True for a piece whose worker cannot be reached.
    fileprivate var isWaitingForWorker: Bool { state == .offline && !isBuiltIn }
    /// True for a piece that will be heard.
    fileprivate var counts: Bool { isAhead && state != .failed && state != .cancelled && !isWaitingForWorker }
}

/// The material that each piece of endless music continues: the prompt, or the motif of the piece before.
public enum EndlessFollow: String, Sendable, CaseIterable {
    /// The prompt for each piece anew, or the motif of the piece before.
    case prompt, motif
}

// MARK: As text, for the store

extension EndlessPlan {
    /// The plan as lines for the store; `init(text:)` restores it.
    package var text: String {
        var note = NoteLines()
        note["run"] = run
        note["prompt"] = wish.prompt
        note["seconds"] = String(wish.durationS)
        note["ahead"] = String(wish.ahead)
        note["follow"] = wish.follow.rawValue
        note["worker"] = wish.worker
        note["model"] = wish.model
        note["cfg"] = wish.cfg
        note["author"] = author
        note["started"] = String(startedMs)
        note["pressed"] = String(pressedMs)
        note["made"] = String(made)
        note["recipe"] = recipe
        note["distrusted"] = String(distrustedUntilMs)
        note["ended"] = ended
        for press in presses { note.add("press", "\(press.piece) \(press.steer.rawValue) \(press.once)") }
        return note.text
    }

    /// Restores a plan; `nil` when the text has another form.
    package init?(text: String) {
        let note = NoteLines(text)
        func number(_ name: String) -> Int64? { note[name].flatMap { Int64($0) } }
        guard let run = note["run"], let started = number("started"), let seconds = number("seconds"), let ahead = number("ahead"),
            Self.aheadRange.contains(Int(ahead)), let follow = note["follow"].flatMap({ Follow(rawValue: $0) })
        else { return nil }
        let wish = Wish(
            prompt: note["prompt"] ?? "", durationS: Int(seconds), ahead: Int(ahead), follow: follow, worker: note["worker"],
            model: note["model"], cfg: note["cfg"])
        self.init(run: run, wish, author: note["author"], atMs: Milliseconds(started))
        pressedMs = Milliseconds(number("pressed") ?? started)
        made = Int(number("made") ?? 0)
        recipe = note["recipe"]
        distrustedUntilMs = Milliseconds(number("distrusted") ?? 0)
        ended = note["ended"]
        presses = note.all("press").compactMap { line in
            let parts = line.unicodeScalars.split(separator: " ", maxSplits: 2).map { String($0) }
            guard parts.count == 3, let piece = Int(parts[0]), let steer = Steer(rawValue: parts[1]) else { return nil }
            return Press(steer: steer, piece: piece, once: parts[2])
        }
    }
}
