import BatonClient
import BatonCore
import BatonProtocol

/// Finds rooms of a hub by their name, in capital or small letters, or by their id.
struct RoomNames {
    private let rooms: [RoomsSection.Room]
    /// There are rooms that are left out of the list.
    private let isCut: Bool

    init(_ mirror: Mirror) {
        rooms = mirror.rooms?.rooms ?? []
        isCut = mirror.rooms?.more ?? 0 > 0
    }

    var hasSeveral: Bool { rooms.count > 1 }

    /// `source` names the variable that the name came from; `nil` if it was typed.
    func find(_ text: String, from source: String? = nil) throws(Stop) -> RoomID {
        if let room = rooms.first(where: { $0.id.text == text }) { return room.id }
        // It is in no list; the hub knows whose it is.
        if RoomID(text).isPrivate { return RoomID(text) }
        let named = rooms.filter { $0.name.lowercased() == text.lowercased() }
        if named.count == 1 { return named[0].id }
        // The name may be the id of a room that is left out; the hub checks it.
        if named.isEmpty, isCut { return RoomID(text) }
        let names = rooms.map { $0.name.lowercased() == $0.id.text ? $0.name : "\($0.name) (\($0.id))" }.joined(separator: ", ")
        let said = source.map { "\($0) says “\(text)”, and t" } ?? "T"
        throw named.isEmpty
            ? Stop(.refused, "\(said)here is no room “\(text)” on this hub. There is: \(names).")
            : Stop(.refused, "\(said)here are several rooms called “\(text)”. Name one by its id: \(names).")
    }

    /// The room that the first of these words name, as many of them as can be, and how many they are.
    func leading(_ words: some Collection<String>) -> (room: RoomID, words: Int)? {
        for count in stride(from: words.count, to: 0, by: -1) {
            let text = words.prefix(count).joined(separator: " ").lowercased()
            let named = rooms.filter { $0.id.text == text || $0.name.lowercased() == text }
            if named.count == 1 { return (named[0].id, count) }
        }
        return nil
    }

    func name(of room: RoomID?) -> String {
        guard let room else { return "" }
        return rooms.first { $0.id == room }?.name ?? (room.isPrivate ? "Only here" : room.text)
    }
}
