package import BatonCore

/// A press that ended or paused playing. A command that was pressed before it, and begins to play after it, leaves the room silent.
package struct Halt {
    /// The number among all halts of the hub.
    let number: Int
    /// When it was pressed, by the hub's clock.
    let pressedMs: Milliseconds
    /// The connection that it came by; `nil` for none.
    let caller: Int?
    /// False for a pause.
    let isStop: Bool
}

extension RoomChanges {
    /// Notes a command that wants silence, before it is carried out. It is noted in a silent room too, where an earlier command may yet begin to play.
    @inline(__always)
    package func noteHalt(_ command: Command, _ accepted: AcceptedCommand) {
        switch command {
        case .pause: noteHalt(accepted, isStop: false)
        case .stop: noteHalt(accepted, isStop: true)
        default: break
        }
    }

    private func noteHalt(_ accepted: AcceptedCommand, isStop: Bool) {
        let nowMs = Milliseconds(clock.nowUs)
        accepted.live.halt = Halt(
            number: rooms.nextHalt(), pressedMs: min(accepted.context.ct ?? nowMs, nowMs), caller: accepted.caller, isStop: isStop)
    }
}

extension AcceptedCommand {
    /// The halt of this room that was pressed later than this command, and holds; `nil` when there is none.
    package func laterHalt(in live: LiveRoom) -> Halt? {
        guard let halt = live.halt else { return nil }
        if halt.number > halts { return halt }
        // The commands of one connection come in the order of their presses. One that is sent again by another tells when it was pressed.
        guard let ct = context.ct, ct < halt.pressedMs, caller == nil || caller != halt.caller else { return nil }
        return halt
    }
}

extension Room {
    /// Carries out a command, and leaves the room silent where a later press wants it so.
    package mutating func apply(
        _ command: Command, before halt: Halt?, by author: String?, at now: Moment, numbers: inout EntryNumbers
    ) throws(Refusal) -> Outcome {
        guard let halt else { return try apply(command, by: author, at: now, numbers: &numbers) }
        var outcome = try apply(command.silent, by: author, at: now, numbers: &numbers)
        guard isPlaying else { return outcome }
        outcome.add(try apply(halt.isStop ? .stop : .pause, by: author, at: now, numbers: &numbers))
        (outcome.status, outcome.reason) = (.applied, nil)
        return outcome
    }
}

extension Command {
    /// The command, without a sound where it can be given so.
    fileprivate var silent: Command {
        guard case .replace(let base, let items, let start, let positionMs, _) = self else { return self }
        return .replace(base: base, with: items, start: start, positionMs: positionMs, play: false)
    }
}
