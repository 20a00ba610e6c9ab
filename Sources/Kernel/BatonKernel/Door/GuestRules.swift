import BatonCore
package import BatonProtocol
import BatonSeams

/// The owner's limits for guests, within those of their role: a number of own entries in a queue, and a range of the volume.
package final class GuestRules: CommandStep, Sendable {
    /// How many entries of one guest may wait in a queue.
    let mostEntries: Int
    /// The volume range for guests without a range of their own; `nil` forbids them to change it.
    let volume: ClosedRange<Int>?

    init(mostEntries: Int, volume: ClosedRange<Int>?) {
        self.mostEntries = mostEntries
        self.volume = volume
    }

    /// Concerns only the commands that an owner can limit for guests: adding entries and changing the volume.
    package func concerns(_ kind: CommandKind) -> Bool {
        switch kind {
        case .queueAdd, .volumeSet, .volumeStep, .volumeMute: true
        default: false
        }
    }

    /// Refuses what exceeds the limits of a guest, and passes on everything of other senders. The volume is checked as it would be after
    /// the command.
    @Loop
    package func take(_ command: any CommandRequest, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Handling? {
        let caller = accepted.identity
        guard let share = caller.share else { return nil }
        let volume = accepted.live.room.volume
        switch command.kind {
        case .queueAdd:
            let uris = command.typed(as: Commands.QueueAdd.self).uris
            // This comes before sources are asked for contents, which are counted once they are known.
            do throws(Refusal) { try checkShare(share, adding: uris.count, in: accepted.live.room) } catch {
                throw ProtocolFault(error)
            }
        case .volumeSet:
            let level = command.typed(as: Commands.VolumeSet.self).level
            try check([level, volume.landing(on: level)], caller)
        case .volumeStep: try check([volume.landing(on: volume.level + command.typed(as: Commands.VolumeStep.self).step)], caller)
        case .volumeMute: try check([command.typed(as: Commands.VolumeMute.self).isOn ? 0 : volume.level], caller)
        default: break
        }
        return nil
    }

    /// The fault of a command that needs a higher role than its sender has. `nil` for a guest whom the owner lets change the volume.
    func refusal(of kind: CommandKind, from caller: Identity) -> ProtocolFault? {
        switch kind {
        case .volumeSet, .volumeStep, .volumeMute:
            if caller.role == .guest { return span(of: caller) == nil ? Self.noVolume : nil }
        default: break
        }
        return ProtocolFault(
            .forbidden, "\(kind.rawValue) needs the role \(kind.role.rawValue), and this connection has \(caller.role.rawValue).",
            reason: Reason(.needsRole, ["role": .string(kind.role.rawValue)]))
    }

    func checkShare(_ share: String, adding count: Int, in room: Room) throws(Refusal) {
        try room.checkShare(share, adding: count, atMost: mostEntries)
    }

    /// The volume range of this caller. A guest has the range of its device, or else that of all guests, and without either
    /// cannot change the volume. `nil` for other roles, which only the room limits.
    func span(of caller: Identity) -> ClosedRange<Int>? {
        caller.role == .guest ? caller.span ?? volume : nil
    }

    private static let noVolume = ProtocolFault(
        .forbidden, "On this hub guests do not change the volume; its owner can allow it (guest_volume).")

    private func check(_ levels: [Int], _ caller: Identity) throws(ProtocolFault) {
        guard let span = span(of: caller) else { throw Self.noVolume }
        guard levels.allSatisfy(span.contains) else {
            throw ProtocolFault(
                .forbidden,
                "The owner lets guests choose a volume from \(span.lowerBound) to \(span.upperBound); muting counts as 0.")
        }
    }
}

extension VolumeRail {
    /// The level that results when the room's own limits are applied to a wish.
    fileprivate func landing(on level: Int) -> Int {
        var rail = self
        _ = rail.set(to: level)
        return rail.level
    }
}
