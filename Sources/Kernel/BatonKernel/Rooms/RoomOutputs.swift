package import BatonCore
package import BatonSeams

/// Where rooms are heard: only from outputs that are known. A room whose saved output is not known stays silent until the
/// player lists that device or the owner allows the name; the name is kept meanwhile.
@Loop
package final class RoomOutputs {
    private let rooms: RoomList
    /// Where the hub itself is heard.
    private let hubOutput: String
    /// The outputs that the owner named and every client may be told of.
    private let allowed: [String]
    package private(set) var known: KnownOutputs
    private var devices: [AudioDevice] = []

    package init(_ rooms: RoomList, hub: String, allowed: [String]) {
        self.rooms = rooms
        hubOutput = hub
        self.allowed = allowed.filter { !$0.hasPrefix("pcm:") }
        known = KnownOutputs(named: allowed + [hub])
    }

    /// The output of the room. A room without an output of its own shares the hub's, unless that is a file, into which only
    /// one room can write.
    package func output(of live: LiveRoom) -> String {
        if let own = live.output { return own }
        return hubOutput.hasPrefix("pcm:") && live !== rooms.first ? "null" : hubOutput
    }

    func isKnown(of live: LiveRoom) -> Bool { known.has(output(of: live)) }

    /// The output that the room's player opens: silence, while the room's own is not known.
    package func played(by live: LiveRoom) -> String {
        let wanted = output(of: live)
        return known.has(wanted) ? wanted : "null"
    }

    /// The other room that is heard from there. Silence, and the output that the player finds by itself, belong to no room
    /// alone.
    func holder(of output: String, besides live: LiveRoom?) -> LiveRoom? {
        if ["auto", "null"].contains(output) { return nil }
        return rooms.all.first { $0 !== live && self.output(of: $0) == output }
    }

    /// The devices and, after them, the outputs that the owner allows by name.
    package var listed: [AudioDevice] {
        devices + allowed.filter { name in !devices.contains { $0.name == name } }.map { AudioDevice(name: $0, label: $0) }
    }

    /// The names count from now on, before clients are shown the list.
    func learn(_ list: [AudioDevice]) { known.note(list) }

    /// False when the list is as it was.
    package func show(_ list: [AudioDevice]) -> Bool {
        guard list != devices else { return false }
        devices = list
        return true
    }
}
