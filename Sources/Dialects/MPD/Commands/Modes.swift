import BatonCore
import BatonProtocol
import BatonSeams

/// Commands of the volume and the modes of a room.
extension Session {
    func setVolume(_ words: [String]) throws(Ack) -> Step { .ask(Commands.VolumeSet(try Argument.count(words[0], most: 100))) }

    func changeVolume(_ words: [String]) throws(Ack) -> Step {
        .ask(Commands.VolumeStep(try Argument.integer(words[0], in: -100...100)))
    }

    func showVolume() -> Step {
        if let volume = view.volume { text.line("volume", volume.level) }
        return .done
    }

    func setRepeat(_ words: [String]) throws(Ack) -> Step { .ask(Commands.ModeSet(repeat: try Argument.flag(words[0]))) }

    func setRandom(_ words: [String]) throws(Ack) -> Step { .ask(Commands.ModeSet(shuffle: try Argument.flag(words[0]))) }

    func setSingle(_ words: [String]) throws(Ack) -> Step {
        guard let mode = ModeSwitch(word: words[0]) else {
            throw Ack(.argument, "Unrecognized single mode, expected 0, 1, or oneshot")
        }
        return .ask(Commands.ModeSet(single: mode))
    }

    func setConsume(_ words: [String]) throws(Ack) -> Step {
        if words[0] == ModeSwitch.once.word { return .ask(Commands.ModeSet(consume: .once)) }
        return .ask(Commands.ModeSet(consume: try Argument.flag(words[0]) ? .on : .off))
    }

    func setGainMode(_ words: [String]) throws(Ack) -> Step {
        guard let mode = GainMode(rawValue: words[0]) else { throw Ack(.argument, "Unrecognized replay gain mode") }
        return .ask(Commands.ModeSet(gain: mode))
    }

    func showGainMode() -> Step {
        text.line("replay_gain_mode", view.modes.gain.rawValue)
        return .done
    }
}
