import BatonCore
import BatonProtocol
import BatonSeams

/// Where rooms are heard: only from outputs that are known. A room whose saved output is not known stays silent until the
/// player lists that device or the owner allows the name; the name is kept meanwhile.
extension Hub {
    /// Where the room is to be heard. A room without an output of its own shares the hub's, unless that is a
    /// file, into which only one room can write.
    func output(of live: LiveRoom) -> String {
        if let own = live.output { return own }
        return output.hasPrefix("pcm:") && live !== rooms.first ? "null" : output
    }

    /// Where the room's player plays to: silence, while the output is not known.
    func playedOutput(of live: LiveRoom) -> String {
        let wanted = output(of: live)
        return outputs.has(wanted) ? wanted : "null"
    }

    /// Who else is heard from there. Nobody has silence, or what the player finds by itself, alone.
    func holder(of output: String, besides live: LiveRoom?) -> LiveRoom? {
        if ["auto", "null"].contains(output) { return nil }
        return rooms.first { $0 !== live && self.output(of: $0) == output }
    }

    /// Asks the player for its devices where a saved room waits for one.
    package func lookForOutputs() {
        if rooms.contains(where: \.awaitsOutput) { outputSearch.begin() }
    }

    /// The player's list of devices, from wherever it came.
    func note(_ devices: [AudioDevice]) {
        guard !isClosed else { return }
        outputs.note(devices)
        for live in rooms where live.awaitsOutput { settleOutput(of: live) }
        if rooms.contains(where: { $0.awaitsOutput && $0.room.isPlaying }) { outputSearch.beginLater() }
        if !rooms.contains(where: \.awaitsOutput) { outputSearch.rest() }
        show(devices)
    }

    /// A room that begins to play silently is worth another look: its device may have been connected meanwhile.
    func noteBeginning(in live: LiveRoom) {
        if live.awaitsOutput { outputSearch.beginLater() }
    }

    private func settleOutput(of live: LiveRoom) {
        let wanted = output(of: live)
        guard outputs.has(wanted) else { return sayOutputIsMissing(wanted, in: live) }
        log(.notice, "The room “\(live.room.name)” is heard from “\(wanted)” again.")
        let orders = update(live) { room, now in room.changePlayer(at: now) }
        makePlayerOrders(of: live)
        live.playerOrders.perform(orders)
    }

    private func sayOutputIsMissing(_ wanted: String, in live: LiveRoom) {
        let sentence = KnownOutputs.trouble(with: wanted)
        guard live.room.outputProblem != sentence else { return }
        log(.warning, "The room “\(live.room.name)”: \(sentence)")
        _ = update(live) { room, now in room.hear(.outputTrouble(sentence), at: now) }
    }
}
