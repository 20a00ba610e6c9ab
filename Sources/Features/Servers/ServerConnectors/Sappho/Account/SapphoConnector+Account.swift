/// Pages with text from the server: recaps, the user's profile and statistics. Administration remains on the server's
/// own web pages, to which a link leads.
import BatonCore
import BatonJSON
import BatonSeams

extension SapphoConnector {
    /// Rows for recaps of each book that was begun and of its series. Empty if the server writes no recaps.
    func recapRows() async throws(SourceFault) -> [ItemRow] {
        guard try await server.ask("/api/settings/ai/status").flag("configured") else { return [] }
        let begun = try await server.list("/api/audiobooks/meta/in-progress", [("limit", "50")]).compactMap { SapphoBook($0) }
        let series = Set(begun.compactMap(\.series)).sorted()
        return begun.map { rows.container(.recap($0.id), kind: .folder, title: $0.title, cover: $0.hasCover ? $0.id : nil) }
            + series.map { rows.container(.story($0), kind: .folder, title: $0) }
    }

    /// The text of a page without rows.
    func told(_ item: SapphoItem) async throws(SourceFault) -> ItemDetails {
        let (title, text) =
            switch item {
            case .recap(let id): try await recap("/api/audiobooks/\(id)/recap", "The story so far")
            case .story(let name): try await recap("/api/series/\(PercentText.encoded(name))/recap", name)
            case .account(let page): (page.title, try await text(of: page))
            default: ("", "")
            }
        var details = ItemDetails(row: rows.container(item, kind: .folder, title: title))
        details.about = text
        return details
    }

    private func recap(_ path: String, _ title: String) async throws(SourceFault) -> (String, String) {
        let answer = try await server.ask(path)
        guard let text = answer.words("recap", most: 8_000) else {
            throw SourceFault(.notFound, "“\(self.title)” tells nothing of this story.")
        }
        return (answer["book"]?.line("title") ?? title, text)
    }

    private func text(of page: SapphoItem.AccountPage) async throws(SourceFault) -> String {
        switch page {
        case .profile: Self.profile(try await server.ask("/api/profile"))
        case .statistics: SapphoStatistics(try await server.ask("/api/profile/stats")).text
        case .administration:
            "Books are added, repaired and converted on the server's own page, as are users and backups: \(server.address.base)"
        }
    }

    private static func profile(_ row: JSON) -> String {
        let lines = [
            row.line("display_name"), row.line("username").map { "User \($0)" }, row.line("email"),
            row.flag("is_admin") ? "May administer the server." : nil,
        ]
        return lines.compactMap { $0 }.joined(separator: "\n")
    }
}

/// The user's listening statistics, as sentences.
struct SapphoStatistics: Sendable {
    private let row: JSON

    init(_ row: JSON) { self.row = row }

    var text: String {
        let lines: [String?] = [
            row.whole("totalListenTime").map { "Listened for \(Self.time($0))." },
            row.whole("booksStarted").map { "Begun: \($0) books, of which \(row.whole("booksCompleted") ?? 0) were finished." },
            row.whole("currentlyListening").map { "Under way: \($0)." },
            row.whole("activeDaysLast30").map {
                "Listened on \($0) of the last 30 days, the last \(row.whole("currentStreak") ?? 0) in a row."
            },
            row.number("avgSessionLength").flatMap { 0...1e9 ~= $0 ? "At a time: \(Self.time(Int($0)))." : nil },
            names("topAuthors", "author").map { "Most heard authors: \($0)." },
            names("topGenres", "genre").map { "Most heard genres: \($0)." },
        ]
        return lines.compactMap { $0 }.joined(separator: "\n")
    }

    private func names(_ list: String, _ name: String) -> String? {
        let names = (row[list]?.array ?? []).prefix(5).compactMap { $0.line(name) }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    private static func time(_ seconds: Int) -> String {
        seconds < 3_600 ? "\(seconds / 60) min" : "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
    }
}
