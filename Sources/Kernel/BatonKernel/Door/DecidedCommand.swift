package import BatonCore
package import BatonProtocol

/// A command that the core decides in its room, without any other part.
package struct DecidedCommand {
    let kind: CommandKind
    /// The command as the core knows it.
    let decision: @Sendable (any CommandRequest) -> Command

    private init<Request: CommandRequest>(_ request: Request.Type, _ decision: @escaping @Sendable (Request) -> Command) {
        kind = request.kind
        self.decision = { decision($0.typed()) }
    }

    static let all: [DecidedCommand] = [
        DecidedCommand(Commands.Pause.self) { _ in .pause },
        DecidedCommand(Commands.Stop.self) { _ in .stop },
        DecidedCommand(Commands.Toggle.self) { $0.want == .playing ? .play() : .pause },
        DecidedCommand(Commands.Next.self) { .next(from: $0.from, count: $0.count) },
        DecidedCommand(Commands.Previous.self) { .previous(from: $0.from, restartMs: $0.restartMs) },
        DecidedCommand(Commands.Jump.self) { .jump($0.entry) },
        DecidedCommand(Commands.Seek.self) { .seek(entry: $0.entry, toMs: $0.positionMs) },
        DecidedCommand(Commands.SeekBy.self) { .skip(entry: $0.entry, byMs: $0.ms) },
        DecidedCommand(Commands.VolumeSet.self) { .setLevel($0.level) },
        DecidedCommand(Commands.VolumeStep.self) { .stepLevel(by: $0.step) },
        DecidedCommand(Commands.VolumeMute.self) { .setMute($0.isOn) },
        DecidedCommand(Commands.ModeSet.self) { .setModes($0.change) },
        DecidedCommand(Commands.BookSet.self) { .setSpeech(raisesVoice: $0.voice, trims: $0.trim) },
        DecidedCommand(Commands.BookChapter.self) { .chapter(entry: $0.entry, $0.number.map { .number($0) } ?? .by($0.steps ?? 0)) },
        DecidedCommand(Commands.SleepSet.self) { .setSleep($0.wish) },
        DecidedCommand(Commands.SleepClear.self) { _ in .clearSleep },
        DecidedCommand(Commands.RadioLive.self) { .rewind(entry: $0.entry, to: .live) },
        DecidedCommand(Commands.RadioBack.self) { .rewind(entry: $0.entry, to: $0.target) },
        DecidedCommand(Commands.QueueRemove.self) { .remove($0.ids) },
        DecidedCommand(Commands.QueueMove.self) { .move($0.ids, to: $0.anchor) },
        DecidedCommand(Commands.QueueClear.self) { .clear(base: $0.base, keep: $0.keep) },
        DecidedCommand(Commands.QueueShuffle.self) { .shuffle(base: $0.base) },
        DecidedCommand(Commands.QueueUndo.self) { _ in .undo },
    ]

    /// The decided commands by the index of their kind; `nil` for other kinds.
    private static let byIndex = CommandKind.allCases.map { kind in all.first { $0.kind == kind } }

    /// The command as the core knows it; `nil` if the core cannot decide it alone.
    package static func decision(of command: any CommandRequest) -> Command? { byIndex[command.kind.index]?.decision(command) }
}

extension Commands.Play {
    /// The command as the core knows it where no item is named.
    package var decision: Command { .play(entry: entry, positionMs: positionMs) }
}

extension Commands.RadioBack {
    fileprivate var target: RewindTarget {
        if let atMs { return .received(atMs: atMs) }
        return title.map { .title($0) } ?? .by(ms: ms ?? 0)
    }
}
