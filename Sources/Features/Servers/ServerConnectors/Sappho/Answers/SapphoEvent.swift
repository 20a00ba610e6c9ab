/// A WebSocket message that concerns this user or the library. Servers send every message to all clients.
import BatonCore
import BatonJSON

enum SapphoEvent: Equatable, Sendable {
    case place(Int, SapphoPlace)
    /// One of the user's devices started, continued or stopped playing.
    case session
    case items

    /// Parses a message; `nil` if it concerns other users or has an unknown kind.
    init?(_ text: String, of user: Int) {
        guard let json = SapphoReply(status: 200, body: Array(text.utf8)).json, let kind = json["type"]?.string else { return nil }
        switch kind {
        case "progress.update":
            // This message holds the book's id as text.
            guard json.whole("userId") == user, let book = json.whole("audiobookId"), book > 0, let progress = json["progress"],
                let place = SapphoPlace(progress)
            else { return nil }
            self = .place(book, place)
        case "session.start", "session.update", "session.pause", "session.stop":
            guard json["session"]?.whole("userId") == user else { return nil }
            self = .session
        case "library.add", "library.update", "library.restored", "library.unavailable": self = .items
        default: return nil
        }
    }
}

/// One of the user's devices that plays or has paused a book.
struct SapphoSession: Equatable, Sendable {
    var book: Int
    var positionMs: Milliseconds
    var isPlaying: Bool
    var device: String
    var platform: String
    /// The time by the server's clock.
    var updatedAtMs: Milliseconds

    init?(_ row: JSON) {
        guard let book = row.whole("audiobookId"), book > 0, let positionMs = row.bookMilliseconds("position"),
            let updatedAtMs = row.whole("lastUpdated")
        else { return nil }
        self.book = book
        self.positionMs = positionMs
        isPlaying = row["state"]?.string == "playing"
        device = row.line("clientName", most: 64) ?? "another device"
        platform = row.line("platform", most: 64) ?? ""
        self.updatedAtMs = Milliseconds(updatedAtMs)
    }
}
