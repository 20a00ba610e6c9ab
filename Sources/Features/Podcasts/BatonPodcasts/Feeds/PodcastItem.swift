/// URIs of podcasts: `podcast:feed/3` for a subscription, `podcast:newest/3` for its episodes that are kept on disk,
/// `podcast:episode/…` with an episode's id, and the shelves.
import BatonCore

enum PodcastItem: Equatable {
    enum Shelf: String, CaseIterable {
        case episodes, podcasts
    }

    case shelf(Shelf)
    case podcast(Int)
    case newest(Int)
    case episode(String)

    static let source = "podcast"

    init?(_ uri: ItemURI) {
        let text = uri.text
        guard text.hasPrefix(Self.source + ":"), let slash = text.firstIndex(of: "/") else { return nil }
        let id = String(text[text.index(after: slash)...])
        switch text[..<slash].dropFirst(Self.source.count + 1) {
        case "shelf":
            guard let shelf = Shelf(rawValue: id) else { return nil }
            self = .shelf(shelf)
        case "feed":
            guard let number = Self.number(id) else { return nil }
            self = .podcast(number)
        case "newest":
            guard let number = Self.number(id) else { return nil }
            self = .newest(number)
        case "episode":
            guard id.utf8.count == 16, id.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else { return nil }
            self = .episode(id)
        default: return nil
        }
    }

    private static func number(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 && String($0) == text ? $0 : nil } }

    var uri: ItemURI {
        switch self {
        case .shelf(let shelf): ItemURI("\(Self.source):shelf/\(shelf.rawValue)")
        case .podcast(let id): ItemURI("\(Self.source):feed/\(id)")
        case .newest(let id): ItemURI("\(Self.source):newest/\(id)")
        case .episode(let id): ItemURI("\(Self.source):episode/\(id)")
        }
    }
}
