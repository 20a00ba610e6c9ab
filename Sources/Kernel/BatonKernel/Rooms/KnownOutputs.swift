import BatonCore
import BatonProtocol

/// The outputs that a room may play to: the ones in the settings, and the devices that the player has listed since the start.
///
/// A value. Names are compared whole and never by prefix: libmpv and ALSA read options from the rest of a name, and some of
/// them write files or start programs (`alsa/file:FILE='|…'`). A name from the player's list or the owner's settings has only
/// options that the owner wants.
package struct KnownOutputs {
    private let named: Set<String>
    private var devices: Set<String> = []
    /// True once the player was asked. Until then, an unknown name may still be a device.
    private(set) var areListed = false

    /// Limit on known devices, since a sound server could rename its devices all the time.
    private static let mostDevices = 1_000

    init(named: [String]) { self.named = Set(named).union(["auto", "null"]) }

    func has(_ name: String) -> Bool { named.contains(name) || devices.contains(name) }

    /// Adds listed devices. A device that is gone from the list stays known, so that a room can be set to an unplugged
    /// device.
    mutating func note(_ list: [AudioDevice]) {
        areListed = true
        if devices.count + list.count > Self.mostDevices { devices = [] }
        devices.formUnion(list.prefix(Self.mostDevices).map(\.name))
    }

    /// The fault for a room that cannot get this output.
    static func refusal(of name: String) -> ProtocolFault {
        ProtocolFault(
            .notFound,
            "“\(DisplayText(bytes: 80).cut(name))” is no output of this hub: choose one that `baton rooms outputs` lists, null for silence, or one that the "
                + "hub's owner allows in batond.conf (allow_output).", at: "/p/output")
    }

    /// The sentence for a room that is silent because of its output. The name is cut so that the sentence fits into a
    /// section.
    static func trouble(with name: String) -> String {
        "Nothing is heard here: “\(DisplayText(bytes: 40).cut(name))” is not a known output. Connect the device, or allow it in "
            + "batond.conf (allow_output)."
    }
}
