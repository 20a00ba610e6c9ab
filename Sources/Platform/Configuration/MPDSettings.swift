/// A port of MPD that belongs to one room.
package struct RoomPort: Equatable, Sendable {
    /// The id of the room.
    package var room: String
    package var port: UInt16

    package init(room: String, port: UInt16) {
        self.room = room
        self.port = port
    }

    /// `kitchen=6601`.
    package init?(text: String) {
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex, let port = UInt16(text[text.index(after: sign)...]), port > 0
        else {
            return nil
        }
        self.init(room: String(text[..<sign]), port: port)
    }
}

extension Kind where Value == UInt16? {
    static var portOrOff: Kind {
        one("off, or a port as in 6600", "off|PORT") { text, _ in text == "off" ? .some(nil) : UInt16(text).map { .some($0) } }
    }
}

extension Kind where Value == [RoomPort] {
    static var roomPorts: Kind {
        list("ROOM=PORT as in kitchen=6601, or none", "ROOM=PORT", of: { $0.words }) { text, _ in RoomPort(text: text) }
    }
}

extension Kind where Value == [String] {
    /// Addresses or names of hosts, without a port.
    static var bareHosts: Kind {
        list("an address as in 192.168.1.5, 0.0.0.0 or ::, or none", "ADDRESS", of: { $0.words }) { text, _ in
            let isHost = text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"),
                    UInt8(ascii: "."), UInt8(ascii: ":"):
                    true
                default: false
                }
            }
            return isHost && text.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") } ? text : nil
        }
    }
}
