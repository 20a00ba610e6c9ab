package import BatonCore
package import BatonProtocol
import BatonWire

/// The settings that `baton listen` passes to `baton-listen`: the hub with its keys, and the person's choices. They
/// go through a pipe as one line, because all users of a machine can read the arguments of a program.
package struct ListenerStart: Equatable, Sendable {
    /// The pairing with the hub, from which the listener makes its `Credential`.
    package struct Device: Equatable, Sendable {
        /// The id that the hub gave the device when it was paired.
        package var id: DeviceID
        /// The secret of the pairing, 32 bytes.
        package var key: [UInt8]

        package init(id: DeviceID, key: [UInt8]) {
            self.id = id
            self.key = key
        }
    }

    /// The hub's address, with the pin of its key if it uses TLS.
    package var hub: Endpoint
    /// This device's pairing with the hub, if there is one.
    package var device: Device?
    /// The user who is signed in on this device.
    package var user: String?
    /// Id of the client, which stays the same over several starts, so that the hub recognises the listener.
    package var client: String
    /// The name that the hub's people see for this listener.
    package var name: String
    /// The room; `nil` for the hub's first one.
    package var room: RoomID?
    /// The audio output, in the format of `AudioChoice`.
    package var output = "auto"
    /// Time by which playback starts earlier, to compensate for the output's delay.
    package var offsetMs: Milliseconds = 0
    /// The first volume, from 0 to `highestLevel`; people may raise it later.
    package var level = Self.highestLevel
    /// The bit rate of the stream; `.auto` leaves it to the hub.
    package var quality = ListeningQuality.auto

    /// Limit of the first level, because a device that starts playing by itself must not be loud.
    package static let highestLevel = 50
    /// Range of `offsetMs`; values outside of it are clamped when a line is read.
    package static let offsets: ClosedRange<Milliseconds> = -500...500

    /// A start with the defaults; the caller then sets what the person chose.
    package init(hub: Endpoint, client: String, name: String) {
        self.hub = hub
        self.client = client
        self.name = name
    }

    /// The settings as one JSON object, without a line break. It contains the device's key.
    package var line: [UInt8] {
        var pin: [UInt8]?
        if case .tls(_, _, let key) = hub { pin = key }
        return JSONWriter.bytes { writer in
            writer.object { line in
                line.member("hub", hub.text)
                if let pin { line.member("pin", bytes: pin) }
                if let device {
                    line.member("dev", device.id.text)
                    line.member("key", bytes: device.key)
                }
                line.member("user", ifPresent: user)
                line.member("client", client)
                line.member("name", name)
                line.member("room", ifPresent: room?.text)
                line.member("output", output)
                line.member("offset", offsetMs)
                line.member("level", level)
                line.member("quality", quality.rawValue)
            }
        }
    }

    /// Reads a line that `line` wrote. It is `nil` without a hub, client or name; other members may be absent, and numbers are clamped.
    package init?(line: [UInt8]) {
        guard let json = try? JSON.parse(line.span, limits: .standard), let hub = json["hub"]?.string.flatMap(Endpoint.init(text:)),
            let client = json["client"]?.string, let name = json["name"]?.string
        else { return nil }
        func bytes(_ name: String) -> [UInt8]? { json[name]?.string.flatMap(Base64URL.bytes) }
        self.init(hub: bytes("pin").map(hub.pinned) ?? hub, client: client, name: name)
        if let id = json["dev"]?.string, let key = bytes("key") { device = Device(id: DeviceID(id), key: key) }
        user = json["user"]?.string
        room = json["room"]?.string.map { RoomID($0) }
        output = json["output"]?.string ?? output
        offsetMs = json["offset"]?.int.map { min(max(Milliseconds($0), Self.offsets.lowerBound), Self.offsets.upperBound) } ?? 0
        level = json["level"]?.int.map { min(max(Int($0), 0), Self.highestLevel) } ?? level
        quality = json["quality"]?.string.flatMap(ListeningQuality.init(rawValue:)) ?? .auto
    }
}
