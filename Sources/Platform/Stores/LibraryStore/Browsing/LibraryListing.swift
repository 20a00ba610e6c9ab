/// A sorted list of rows that can show any of its pages at once.
///
/// A page begins behind the last row of the one before. That row is found by its sort values and not by counting, so no row is repeated or
/// lost when the library changes in between. A page by number is counted from anchors: the sort values of every 128th row, valid until the
/// library changes.
import BatonCore
import BatonSeams
import SQLite

struct Listing: Sendable {
    var shape: RowShape
    /// Tables to read from, if more than the shape's own are needed. An index supplies their rows in order.
    var source: String?
    var filter: String
    var values: [Database.Value] = []
    /// Columns whose values together are unique to a row and never NULL.
    var order: [String]
    var isDescending = false
    /// Number of rows, if it is stored.
    var total: Int?

    func sql(_ place: Part, limit: Int, skip: Int) -> (String, [Database.Value]) {
        let sql = """
            SELECT \(shape.columns), \(order.joined(separator: ", ")) FROM \(source ?? shape.main) \(shape.joins)
            WHERE \(filter)\(place.sql) ORDER BY \(sorted) LIMIT ? OFFSET ?
            """
        return (sql, values + place.values + [.int(limit), .int(skip)])
    }

    /// Some of the rows behind a key.
    struct Part {
        var sql = ""
        var values: [Database.Value] = []
    }

    /// All rows behind a key, in consecutive parts: rows that share all of its values but the last, then all but the last two, and so on.
    /// SQLite reads each part as one range of an index. It does not do so for a single comparison of whole keys, if the last column is the
    /// row id.
    func places(behind key: [Database.Value]) -> [Part] {
        order.indices.reversed().map { last in
            let same = order[..<last].map { " AND \($0) = ?" }.joined()
            return Part(sql: "\(same) AND \(order[last]) \(isDescending ? "<" : ">") ?", values: Array(key[...last]))
        }
    }

    private var sorted: String { order.map { isDescending ? $0 + " DESC" : $0 }.joined(separator: ", ") }

    /// The sort values that an anchor stores, for all rows if there is no limit.
    func keys(_ place: Part = Part(), limit: Int = -1) -> (String, [Database.Value]) {
        let columns = order.joined(separator: ", ")
        let sql = "SELECT \(columns) FROM \(source ?? shape.main) WHERE \(filter)\(place.sql) ORDER BY \(sorted) LIMIT ?"
        return (sql, values + place.values + [.int(limit)])
    }

    var name: String {
        let marks = values.map { value in
            switch value {
            case .int(let number): "\(number)"
            case .text(let text): text
            case .null, .blob: ""
            }
        }
        return "\(source ?? shape.main)|\(filter)|\(order)|\(isDescending)|\(marks)"
    }
}

/// Anchors of a few long lists, used for pages by number.
struct PageAnchors {
    static let step = 128
    private static let mostLists = 4
    private var revision = -1
    private var lists: [String: [[Database.Value]]] = [:]

    /// The keys of rows number 127, 255 and so on.
    mutating func keys(of listing: Listing, revision: Int, _ make: () throws(SourceFault) -> [[Database.Value]]) throws(SourceFault)
        -> [[Database.Value]]
    {
        if self.revision != revision {
            self.revision = revision
            lists = [:]
        }
        let name = listing.name
        if let known = lists[name] { return known }
        let made = try make()
        if lists.count >= Self.mostLists { lists = [:] }
        lists[name] = made
        return made
    }
}

/// The position of the next page: the list, and the sort values of the last row.
struct Cursor {
    var part: Int
    var key: [Database.Value]

    init(part: Int, key: [Database.Value]) {
        self.part = part
        self.key = key
    }

    init?(_ text: String) {
        guard let bytes = Self.bytes(text) else { return nil }
        var unpacker = Unpacker(bytes)
        guard let part = unpacker.int(), let count = unpacker.int(), count <= 16 else { return nil }
        self.part = part
        key = []
        for _ in 0..<count {
            switch unpacker.int() {
            case 0: key.append(.null)
            case 1:
                guard let number = unpacker.maybe(), let number else { return nil }
                key.append(.int(number))
            case 2:
                guard let text = unpacker.text() else { return nil }
                key.append(.text(text))
            default: return nil
            }
        }
    }

    var text: String {
        var packer = Packer()
        packer.put(part)
        packer.put(key.count)
        for value in key {
            switch value {
            case .int(let number):
                packer.put(1)
                packer.put(maybe: Int(number))
            case .text(let text):
                packer.put(2)
                packer.put(text)
            case .null, .blob: packer.put(0)
            }
        }
        return Self.text(packer.bytes)
    }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let places: [UInt8: UInt32] = Dictionary(
        uniqueKeysWithValues: letters.enumerated().map { ($1, UInt32($0)) })

    private static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var held: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            held = held << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(letters[Int(held >> bits & 63)])
            }
        }
        if bits > 0 { text.append(letters[Int(held << (6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 1024 else { return nil }
        var bytes: [UInt8] = []
        var held: UInt32 = 0
        var bits: UInt32 = 0
        for letter in text.utf8 {
            guard let place = places[letter] else { return nil }
            held = held << 6 | place
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: held >> bits))
        }
        return bytes
    }
}
