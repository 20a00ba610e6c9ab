import BatonClient
import BatonCore
import BatonProtocol

/// Finds rooms of a hub by name, ignoring case, or by id.
struct RoomNames {
    private let rooms: [RoomsSection.Room]
    /// The room that is followed, which is all that a hub without a list of rooms tells.
    private let followed: RoomID?

    init(_ mirror: Mirror) {
        rooms = mirror.rooms?.rooms ?? []
        followed = mirror.room
    }

    var hasSeveral: Bool { rooms.count > 1 }

    /// Finds a room. `source` is the variable that contained the name; `nil` if it was typed.
    func find(_ text: String, from source: String? = nil) throws(Stop) -> RoomID {
        if let room = rooms.first(where: { $0.id.text == text }) { return room.id }
        // Private rooms are in no list; the hub checks the owner.
        if RoomID(text).isPrivate { return RoomID(text) }
        if let followed, followed.text == text { return followed }
        let named = rooms.filter { $0.name.lowercased() == text.lowercased() }
        if named.count == 1 { return named[0].id }
        let names = rooms.map { $0.name.lowercased() == $0.id.text ? $0.name : "\($0.name) (\($0.id))" }.joined(separator: ", ")
        let said = source.map { "\($0) says “\(text)”, and t" } ?? "T"
        guard !rooms.isEmpty else {
            throw Stop(.refused, "\(said)his hub has one room\(followed.map { ", “\($0)”" } ?? "").")
        }
        throw named.isEmpty
            ? Stop(.refused, "\(said)here is no room “\(text)” on this hub. There is: \(names).")
            : Stop(.refused, "\(said)here are several rooms called “\(text)”. Name one by its id: \(names).")
    }

    /// The room named by the longest possible sequence of leading words, with its length.
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
