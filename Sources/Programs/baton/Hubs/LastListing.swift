import BatonCore
import BatonProtocol
import Configuration

/// The rows of the last listing, which the next command can name by their numbers.
struct LastListing: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        var uri: String
        /// The id of the queue entry; only for rows of the queue.
        var entry: String?
    }

    /// The id of the hub that was listed.
    var hub: String
    var rows: [Row]

    var isQueue: Bool { rows.first?.entry != nil }

    /// Limit of rows; longer lists are not meant for people.
    static let most = 10_000

    init(hub: String, _ rows: [Row]) {
        (self.hub, self.rows) = (hub, Array(rows.prefix(Self.most)))
    }

    /// Parses a line for the hub and one for each row. A URI with a line break is stored as an empty line.
    init?(text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count > 1 else { return nil }
        hub = lines.removeFirst()
        if lines.last == "" { lines.removeLast() }
        rows = lines.map { line in
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return parts.count == 2 ? Row(uri: parts[1], entry: parts[0]) : Row(uri: line)
        }
    }

    var text: String {
        let lines = rows.map { row in
            let isWritable = !row.uri.unicodeScalars.contains { $0.value < 0x20 }
            return (row.entry.map { "\($0)\t" } ?? "") + (isWritable ? row.uri : "")
        }
        return ([hub] + lines).joined(separator: "\n") + "\n"
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// The row numbers that a word such as `3` or `5-7` names. `nil` if the word is anything else.
    static func numbers(_ word: String) -> ClosedRange<Int>? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ part in !part.isEmpty && part.utf8.allSatisfy { digits ~= $0 } }),
            let first = Int(parts[0]), let last = Int(parts[parts.count - 1]), first >= 1, first <= last
        else { return nil }
        return first...last
    }

    func rows(_ numbers: ClosedRange<Int>) throws(Stop) -> ArraySlice<Row> {
        guard numbers.upperBound <= rows.count else {
            throw Stop(.refused, "The last listing has \(rows.count) rows, and no number \(numbers.upperBound).")
        }
        let found = rows[(numbers.lowerBound - 1)..<numbers.upperBound]
        guard found.allSatisfy({ !$0.uri.isEmpty }) else { throw Stop(.refused, "That row cannot be named by its number.") }
        return found
    }
}

extension Memory {
    var lastListing: LastListing? { text(of: "last-listing").flatMap(LastListing.init(text:)) }

    func store(_ listing: LastListing) { store("last-listing", whole: listing.text) }
}
