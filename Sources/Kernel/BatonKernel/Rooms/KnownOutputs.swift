package import BatonCore
package import BatonProtocol

/// The outputs that a room may be heard from: those that the owner names in the settings, and the devices that the
/// player has listed since the hub started.
///
/// A value. Names are compared whole and never by their beginning: libmpv and ALSA read options out of the rest of a
/// name, and some of these options write files or start programs (`alsa/file:FILE='|…'`). A name that the player listed
/// itself, or that the owner wrote, asks for nothing else than the owner wants.
package struct KnownOutputs {
    private let named: Set<String>
    private var devices: Set<String> = []
    /// The player was asked at least once. Before that, a name that is missing here may well be a device.
    private(set) var areListed = false

    /// A sound server that renames its devices all the time must not fill the memory.
    private static let mostDevices = 1_000

    init(named: [String]) { self.named = Set(named).union(["auto", "null"]) }

    package func has(_ name: String) -> Bool { named.contains(name) || devices.contains(name) }

    /// A device that is gone from the list stays known, so that a room may be given its device back while that is unplugged.
    package mutating func note(_ list: [AudioDevice]) {
        areListed = true
        if devices.count + list.count > Self.mostDevices { devices = [] }
        devices.formUnion(list.prefix(Self.mostDevices).map(\.name))
    }

    /// Why a room cannot be given this output.
    package static func refusal(of name: String) -> ProtocolFault {
        ProtocolFault(
            .notFound,
            "“\(DisplayText(bytes: 80).cut(name))” is no output of this hub: choose one that `baton rooms outputs` lists, null for silence, or one that the "
                + "hub's owner allows in batond.conf (allow_output).", at: "/p/output")
    }

    /// Why a room that has this output is silent. The name is cut so that the whole sentence fits into a section.
    package static func trouble(with name: String) -> String {
        "Nothing is heard here: “\(DisplayText(bytes: 40).cut(name))” is not a known output. Connect the device, or allow it in "
            + "batond.conf (allow_output)."
    }
}
