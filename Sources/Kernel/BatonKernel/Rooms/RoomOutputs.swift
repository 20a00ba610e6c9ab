import BatonCore
package import BatonSeams

/// The outputs of rooms, which must be known ones. A room whose saved output is unknown stays silent until the player lists
/// the device or the owner allows the name; the name is stored meanwhile.
@Loop
package final class RoomOutputs {
    private let rooms: RoomList
    /// The output of the hub itself.
    private let hubOutput: String
    /// The outputs that the owner allows, and that every client may see.
    private let allowed: [String]
    private(set) var known: KnownOutputs
    private var devices: [AudioDevice] = []

    init(_ rooms: RoomList, hub: String, allowed: [String]) {
        self.rooms = rooms
        hubOutput = hub
        self.allowed = allowed.filter { !$0.hasPrefix("pcm:") }
        known = KnownOutputs(named: allowed + [hub])
    }

    /// The output of the room. A room without its own uses the hub's, unless that is a file, since only one room can write to
    /// a file.
    package func output(of live: LiveRoom) -> String {
        if let own = live.output { return own }
        return hubOutput.hasPrefix("pcm:") && live !== rooms.first ? "null" : hubOutput
    }

    func isKnown(of live: LiveRoom) -> Bool { known.has(output(of: live)) }

    /// The output that the room's player opens: silence, while the room's own is unknown.
    func played(by live: LiveRoom) -> String {
        let wanted = output(of: live)
        return known.has(wanted) ? wanted : "null"
    }

    /// Another room that uses this output. Silence and the player's default output can be shared.
    func holder(of output: String, besides live: LiveRoom?) -> LiveRoom? {
        if ["auto", "null"].contains(output) { return nil }
        return rooms.all.first { $0 !== live && self.output(of: $0) == output }
    }

    /// The devices, followed by the outputs that the owner allows by name.
    var listed: [AudioDevice] {
        devices + allowed.filter { name in !devices.contains { $0.name == name } }.map { AudioDevice(name: $0, label: $0) }
    }

    /// Adds the names, which count before clients see the list.
    func learn(_ list: [AudioDevice]) { known.note(list) }

    /// Stores the list. False when it has not changed.
    func show(_ list: [AudioDevice]) -> Bool {
        guard list != devices else { return false }
        devices = list
        return true
    }
}
