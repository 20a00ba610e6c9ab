/// A message of the server's WebSocket, as far as it concerns the account's person or the library. Servers send every message to
/// every client.
import BatonCore
import BatonJSON

enum SapphoEvent: Equatable, Sendable {
    case place(Int, SapphoPlace)
    /// A device of the person began to play, went on or stopped.
    case session
    case items

    /// `nil` for messages about others and for kinds that are not known here.
    init?(_ text: String, of user: Int) {
        guard let json = SapphoReply(status: 200, body: Array(text.utf8)).json, let kind = json["type"]?.string else { return nil }
        switch kind {
        case "progress.update":
            // The book's number is text here.
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

/// A device of the account's person that plays a book, or has paused it.
struct SapphoSession: Equatable, Sendable {
    var book: Int
    var positionMs: Int
    var isPlaying: Bool
    var device: String
    var platform: String
    /// By the server's clock.
    var updatedAtMs: Int64

    init?(_ row: JSON) {
        guard let book = row.whole("audiobookId"), book > 0, let positionMs = row.milliseconds("position"),
            let updatedAtMs = row.whole("lastUpdated")
        else { return nil }
        self.book = book
        self.positionMs = positionMs
        isPlaying = row["state"]?.string == "playing"
        device = row.line("clientName", most: 64) ?? "another device"
        platform = row.line("platform", most: 64) ?? ""
        self.updatedAtMs = Int64(updatedAtMs)
    }
}
