import BatonCore
import BatonProtocol
import BatonSeams

/// Partitions, which are the hub's rooms, and their outputs.
extension Session {
    /// The room of a partition's name. `default` is the first room too, since programs know that word.
    private func room(named name: String) -> RoomID? {
        let room = RoomID(name)
        if ports.state.has(room) { return room }
        return name == Self.usualName ? ports.state.firstRoom : nil
    }

    private static let usualName = "default"

    func listPartitions() -> Step {
        for room in ports.state.roomIDs { text.line("partition", room.text) }
        return .done
    }

    func enterPartition(_ words: [String]) throws(Ack) -> Step {
        guard let room = room(named: words[0]) else { throw Ack(.missing, "partition does not exist") }
        if let fault = ports.attendance.refusal(of: identity, from: room) { throw Ack(fault) }
        if room != self.room { enter(dialect.queue(of: room)) }
        return .done
    }

    func makePartition(_ words: [String]) throws(Ack) -> Step {
        let name = words[0]
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfName) else { throw Ack(.argument, "bad name") }
        guard room(named: name) == nil else { throw Ack(.exists, "name already exists") }
        return .ask(Commands.RoomCreate(name))
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    func deletePartition(_ words: [String]) throws(Ack) -> Step {
        guard let room = room(named: words[0]) else { throw Ack(.missing, "no such partition") }
        guard room != ports.state.firstRoom else { throw Ack(.unknown, "cannot delete the default partition") }
        guard !dialect.sessions.contains(where: { $0.room == room }) else { throw Ack(.unknown, "partition still has clients") }
        return .ask(Commands.RoomDelete(room))
    }

    // MARK: Outputs

    func listOutputs() -> Step {
        for (place, output) in view.outputs.enumerated() {
            text.line("outputid", place)
            text.line("outputname", output.name)
            text.line("plugin", "baton")
            text.line("outputenabled", flag: output.room == room)
        }
        return .done
    }

    /// Gives an output to the room, or takes it away. `wanted` gets whether the room has it.
    func switchOutput(_ words: [String], _ wanted: (Bool) -> Bool) throws(Ack) -> Step {
        let place = try Argument.count(words[0])
        let outputs = view.outputs
        guard outputs.indices.contains(place) else { throw Ack(.missing, "No such audio output") }
        let isOn = outputs[place].room == room
        guard wanted(isOn) != isOn else { return .done }
        return .ask(Commands.RoomSet(room: room, output: .set(isOn ? Self.noOutput : outputs[place].id)))
    }

    /// The output of a room that is silent.
    private static let noOutput = "null"
}
