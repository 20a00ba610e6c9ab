package import BatonCore
package import BatonProtocol

/// A command that the core decides in its room, without any other part.
package protocol DecidedCommand: CommandRequest {
    /// The command as the core knows it.
    var decision: Command { get }
}

enum DecidedCommands {
    package static let all: [any DecidedCommand.Type] = [
        Commands.Pause.self, Commands.Stop.self, Commands.Toggle.self, Commands.Next.self, Commands.Previous.self, Commands.Jump.self,
        Commands.Seek.self, Commands.SeekBy.self, Commands.VolumeSet.self, Commands.VolumeStep.self, Commands.VolumeMute.self,
        Commands.ModeSet.self, Commands.BookSet.self, Commands.BookChapter.self, Commands.SleepSet.self, Commands.SleepClear.self,
        Commands.RadioLive.self, Commands.RadioBack.self, Commands.QueueRemove.self, Commands.QueueMove.self, Commands.QueueClear.self,
        Commands.QueueShuffle.self, Commands.QueueUndo.self,
    ]
}

extension Commands.Play {
    /// The decision for `play` without an item.
    package var decision: Command { .play(entry: entry, positionMs: positionMs) }
}

extension Commands.Pause: DecidedCommand { package var decision: Command { .pause } }
extension Commands.Stop: DecidedCommand { package var decision: Command { .stop } }
extension Commands.Toggle: DecidedCommand { package var decision: Command { want == .playing ? .play() : .pause } }
extension Commands.Next: DecidedCommand { package var decision: Command { .next(from: from, count: count) } }
extension Commands.Previous: DecidedCommand { package var decision: Command { .previous(from: from, restartMs: restartMs) } }
extension Commands.Jump: DecidedCommand { package var decision: Command { .jump(entry) } }
extension Commands.Seek: DecidedCommand { package var decision: Command { .seek(entry: entry, toMs: positionMs) } }
extension Commands.SeekBy: DecidedCommand { package var decision: Command { .skip(entry: entry, byMs: ms) } }

extension Commands.VolumeSet: DecidedCommand { package var decision: Command { .setLevel(level) } }
extension Commands.VolumeStep: DecidedCommand { package var decision: Command { .stepLevel(by: step) } }
extension Commands.VolumeMute: DecidedCommand { package var decision: Command { .setMute(isOn) } }

extension Commands.ModeSet: DecidedCommand { package var decision: Command { .setModes(change) } }
extension Commands.BookSet: DecidedCommand { package var decision: Command { .setSpeech(raisesVoice: voice, trims: trim) } }
extension Commands.SleepSet: DecidedCommand { package var decision: Command { .setSleep(wish) } }
extension Commands.SleepClear: DecidedCommand { package var decision: Command { .clearSleep } }

extension Commands.BookChapter: DecidedCommand {
    package var decision: Command { .chapter(entry: entry, number.map { .number($0) } ?? .by(steps ?? 0)) }
}

extension Commands.RadioLive: DecidedCommand { package var decision: Command { .rewind(entry: entry, to: .live) } }

extension Commands.RadioBack: DecidedCommand {
    package var decision: Command {
        if let atMs { return .rewind(entry: entry, to: .received(atMs: Int64(atMs))) }
        return .rewind(entry: entry, to: title.map { .title($0) } ?? .by(ms: ms ?? 0))
    }
}

extension Commands.QueueRemove: DecidedCommand { package var decision: Command { .remove(ids) } }
extension Commands.QueueMove: DecidedCommand { package var decision: Command { .move(ids, to: anchor) } }
extension Commands.QueueClear: DecidedCommand { package var decision: Command { .clear(base: base, keep: keep) } }
extension Commands.QueueShuffle: DecidedCommand { package var decision: Command { .shuffle(base: base) } }
extension Commands.QueueUndo: DecidedCommand { package var decision: Command { .undo } }
