/// The items behind this source's URIs: `NAME:book/12`, `NAME:series/The%20Tide`, `NAME:shelf/continue` and so on; a
/// collection is a playlist. Names of series, authors and genres are percent-encoded, in URIs as in request paths.
import BatonCore

enum SapphoItem: Equatable, Sendable {
    case book(Int)
    case series(String)
    case author(String)
    case genre(String)
    case collection(Int)
    /// Books that resemble this one.
    case similar(Int)
    /// A recap of the story so far: in a book, and in a series.
    case recap(Int)
    case story(String)
    case account(AccountPage)
    case shelf(Shelf)

    enum Shelf: String, CaseIterable, Sendable {
        case `continue`, next, recent, again, books, series, authors, genres, collections, favourites, recaps, account

        var title: String {
            switch self {
            case .continue: "Continue listening"
            case .next: "Up next"
            case .recent: "Recently added"
            case .again: "Listen again"
            case .books: "Books"
            case .series: "Series"
            case .authors: "Authors"
            case .genres: "Genres"
            case .collections: "Collections"
            case .favourites: "Favourites"
            case .recaps: "The story so far"
            case .account: "Account"
            }
        }
    }

    /// Pages about the user's account.
    enum AccountPage: String, CaseIterable, Sendable {
        case profile, statistics, administration

        var title: String {
            switch self {
            case .profile: "Profile"
            case .statistics: "Statistics"
            case .administration: "Administration"
            }
        }
    }

    /// Longest URI that fits into a message.
    private static let mostBytes = 900

    /// Parses a URI; `nil` for other sources and unknown kinds.
    init?(_ uri: ItemURI, of source: String) {
        guard uri.text.hasPrefix(source + ":"), uri.text.utf8.count <= 1_024 else { return nil }
        let parts = uri.text.dropFirst(source.utf8.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let name = PercentText.decoded(parts[1]), !name.isEmpty, let item = Self.item(parts[0], name) else {
            return nil
        }
        self = item
    }

    private static func item(_ kind: Substring, _ name: String) -> SapphoItem? {
        let number = Int(name).flatMap { $0 > 0 && String($0) == name ? $0 : nil }
        return switch kind {
        case "book": number.map { .book($0) }
        case "series": .series(name)
        case "author": .author(name)
        case "genre": .genre(name)
        case "playlist": number.map { .collection($0) }
        case "similar": number.map { .similar($0) }
        case "recap": number.map { .recap($0) }
        case "story": .story(name)
        case "account": AccountPage(rawValue: name).map { .account($0) }
        case "shelf": Shelf(rawValue: name).map { .shelf($0) }
        default: nil
        }
    }

    /// The URI; `nil` for a name that is too long.
    func uri(of source: String) -> ItemURI? {
        let (kind, name) = word
        let encoded = PercentText.encoded(name)
        return encoded.utf8.count <= Self.mostBytes ? ItemURI("\(source):\(kind)/\(encoded)") : nil
    }

    private var word: (String, String) {
        switch self {
        case .book(let id): ("book", String(id))
        case .series(let name): ("series", name)
        case .author(let name): ("author", name)
        case .genre(let name): ("genre", name)
        case .collection(let id): ("playlist", String(id))
        case .similar(let id): ("similar", String(id))
        case .recap(let id): ("recap", String(id))
        case .story(let name): ("story", name)
        case .account(let page): ("account", page.rawValue)
        case .shelf(let shelf): ("shelf", shelf.rawValue)
        }
    }
}
