import BatonCore
package import BatonProtocol

/// A summary of all rooms from summaries that were written before: most changes concern one room, and only that one need be written anew.
extension RoomsSection {
    package static func joined(_ rooms: [[UInt8]]) -> EncodedSection {
        EncodedSection(
            section,
            JSONWriter.bytes { writer in
                let end = section.cap - 24
                writer.object { w in
                    let written = w.member("list", rooms, upTo: end) { $1.encoded($0) }
                    if written < rooms.count { w.member("more", rooms.count - written) }
                }
            })
    }
}

extension RoomsSection.Room {
    package func encode(into writer: inout JSONWriter) { writer.object(encodeMembers) }
}
