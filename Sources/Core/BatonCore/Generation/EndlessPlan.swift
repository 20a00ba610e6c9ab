/// A room that is never without its next piece: what the pieces shall be like, and when the next one is asked for.
///
/// A value that decides; it knows no clock, store or queue. The pieces of a run are numbered from 1, and the number is a part of the
/// job's id. So a piece that was asked for before the hub ended is found again, and is not made twice.
package struct EndlessPlan: Equatable, Sendable {
    /// What each piece goes on from.
    package typealias Follow = EndlessFollow

    package struct Wish: Equatable, Sendable {
        package var prompt: String
        package var durationS: Int
        /// How many pieces stand behind the one that plays.
        package var ahead: Int
        package var follow: Follow
        /// `nil` is the built-in composer.
        package var worker: String?
        package var model: String?
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

    /// A wish for the next piece, and which piece that was when it came.
    package struct Press: Equatable, Sendable {
        package var steer: Steer
        package var piece: Int
        /// The command that it came with, so that one that is sent again counts once.
        package var once: String
    }

    package static let aheadRange = 1...5
    package static let usualAhead = 2
    /// Without a press of a person for so long, no more pieces are made.
    package static let patienceMs: Int64 = 3 * 3600 * 1000
    /// For so long after a failure of the named worker the composer makes the pieces.
    package static let distrustMs: Int64 = 10 * 60 * 1000
    /// After so many failures in a row it is of no use to go on.
    package static let mostFailures = 3
    private static let mostKept = 16

    /// The beginning of the ids of its jobs.
    package let run: String
    package var wish: Wish
    package var author: String?
    package let startedMs: Int64
    /// When a person last did something in the room; wall clock.
    package var pressedMs: Int64
    /// The number of the piece that was asked for last.
    package private(set) var made = 0
    /// How the built-in composer was asked for the last of its pieces.
    package private(set) var recipe: String?
    package private(set) var presses: [Press] = []
    /// Until then the named worker is not asked.
    package private(set) var distrustedUntilMs: Int64 = 0
    /// Why it ended by itself.
    package private(set) var ended: String?

    package var isOn: Bool { ended == nil }

    package init(run: String, _ wish: Wish, author: String?, atMs nowMs: Int64) {
        self.run = run
        self.wish = wish
        self.author = author
        startedMs = nowMs
        pressedMs = nowMs
    }

    // MARK: The pieces

    package func id(_ number: Int) -> String { "\(run)-\(number)" }

    /// The number of a piece of this run.
    package func number(of job: String) -> Int? {
        guard job.hasPrefix(run + "-") else { return nil }
        return Int(job.dropFirst(run.count + 1)).flatMap { $0 > 0 ? $0 : nil }
    }

    /// One piece as the store and the queue show it.
    package struct Piece: Equatable, Sendable {
        package var number: Int
        package var state: GenerationJob.State
        package var isBuiltIn: Bool
        /// Its entry comes behind the one that plays.
        package var isAhead: Bool
        package var sentence: String?

        package init(number: Int, state: GenerationJob.State, isBuiltIn: Bool, isAhead: Bool, sentence: String? = nil) {
            self.number = number
            self.state = state
            self.isBuiltIn = isBuiltIn
            self.isAhead = isAhead
            self.sentence = sentence
        }
    }

    package enum Step: Equatable, Sendable {
        case make(number: Int, isBuiltIn: Bool)
        /// Its worker is away, so its entry gives its place to another piece.
        case drop(number: Int)
        case end(String)
    }

    /// What is to be done now. One piece at a time is asked for.
    package mutating func steps(_ pieces: [Piece], nowMs: Int64) -> [Step] {
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

    /// It cannot go on, for a reason that is found outside of it.
    package mutating func stop(_ sentence: String) { ended = sentence }

    /// This piece is asked for; later presses are for the one behind it. `recipe` is that of the composer.
    package mutating func ask(for number: Int, recipe: String?) {
        made = max(made, number)
        self.recipe = recipe ?? self.recipe
    }

    // MARK: Steering

    /// The piece that the next press shapes. Those that were asked for stay as they are.
    package var next: Int { made + 1 }

    /// The piece that this press shapes; one that was counted before is not counted again.
    package mutating func press(_ steer: Steer, once: String) -> Int {
        if let known = presses.first(where: { $0.once == once }) { return known.piece }
        presses.append(Press(steer: steer, piece: next, once: once))
        if presses.count > Self.mostKept { presses.removeFirst() }
        return next
    }

    package func steering(of piece: Int) -> [Steer] { presses.filter { $0.piece == piece }.map(\.steer) }
}

extension EndlessPlan.Piece {
    /// It was given to a worker that cannot be reached.
    fileprivate var isWaitingForWorker: Bool { state == .offline && !isBuiltIn }
    /// It will be heard.
    fileprivate var counts: Bool { isAhead && state != .failed && state != .cancelled && !isWaitingForWorker }
}

/// What each piece of endless music goes on from: the words, or the motif of the piece before it.
public enum EndlessFollow: String, Sendable, CaseIterable {
    case prompt, motif
}

// MARK: As text, for the store

extension EndlessPlan {
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

    /// `nil` when the text has another form.
    package init?(text: String) {
        let note = NoteLines(text)
        func number(_ name: String) -> Int64? { note[name].flatMap { Int64($0) } }
        guard let run = note["run"], let started = number("started"), let seconds = number("seconds"), let ahead = number("ahead"),
            Self.aheadRange.contains(Int(ahead)), let follow = note["follow"].flatMap({ Follow(rawValue: $0) })
        else { return nil }
        let wish = Wish(
            prompt: note["prompt"] ?? "", durationS: Int(seconds), ahead: Int(ahead), follow: follow, worker: note["worker"],
            model: note["model"], cfg: note["cfg"])
        self.init(run: run, wish, author: note["author"], atMs: started)
        pressedMs = number("pressed") ?? started
        made = Int(number("made") ?? 0)
        recipe = note["recipe"]
        distrustedUntilMs = number("distrusted") ?? 0
        ended = note["ended"]
        presses = note.all("press").compactMap { line in
            let parts = line.unicodeScalars.split(separator: " ", maxSplits: 2).map { String($0) }
            guard parts.count == 3, let piece = Int(parts[0]), let steer = Steer(rawValue: parts[1]) else { return nil }
            return Press(steer: steer, piece: piece, once: parts[2])
        }
    }
}
