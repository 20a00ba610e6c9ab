import BatonCore
package import BatonProtocol

/// The section of all rooms, joined from encoded rows: most changes concern one room, and only its row is encoded again.
extension RoomsSection {
    package static func write(_ rooms: [[UInt8]], into writer: inout JSONWriter) {
        let end = section.cap - 24
        writer.object { w in
            let written = w.member("list", rooms, upTo: end) { $1.encoded($0) }
            if written < rooms.count { w.member("more", rooms.count - written) }
        }
    }
}

extension RoomsSection.Room {
    package func encode(into writer: inout JSONWriter) { writer.object(encodeMembers) }
}
