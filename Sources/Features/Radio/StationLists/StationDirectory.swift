/// Parses a directory in the format of Radio-Browser: a JSON array of objects. A directory lists tens of thousands of
/// stations, so it is parsed in pieces, with one station in memory at a time.
package import BatonCore
import BatonJSON
package import BatonSeams

package struct StationDirectory {
    /// Size limit of a directory.
    package static let mostBytes: Int64 = 256 << 20
    package static let mostStations = 200_000
    private static let mostObjectBytes = 64 * 1024

    /// Number of objects that were skipped because they lack an http or https address.
    package private(set) var passedOver = 0
    private var count = 0
    private var object: [UInt8] = []
    private var depth = 0
    private var isText = false
    private var isEscaped = false
    private var hasEnded = false
    private static let limits: JSONLimits = {
        var limits = JSONLimits()
        limits.largeNumbers = .text
        return limits
    }()

    package init() {}

    /// The stations whose objects end in these bytes.
    package mutating func take(_ bytes: [UInt8]) throws(SourceFault) -> [Station] {
        var found: [Station] = []
        for byte in bytes {
            if depth > 0 { object.append(byte) }
            guard object.count <= Self.mostObjectBytes else { throw Self.fault(.tooLarge, "one of its stations is too long") }
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\"") where depth > 0: isText = true
            case UInt8(ascii: "{"):
                if depth == 0 { object = [byte] }
                depth += 1
            case UInt8(ascii: "}") where depth > 0:
                depth -= 1
                if depth == 0 { try end(&found) }
            case UInt8(ascii: "]") where depth == 0: hasEnded = true
            default: guard depth > 0 || byte <= 0x20 || "[],".utf8.contains(byte) else { throw Self.fault(.badRequest, "it is no JSON") }
            }
        }
        return found
    }

    /// Checks that the file is complete.
    package func end() throws(SourceFault) {
        guard depth == 0, hasEnded || count == 1 else { throw Self.fault(.badRequest, "it ends in the middle") }
    }

    private mutating func end(_ found: inout [Station]) throws(SourceFault) {
        count += 1
        guard count <= Self.mostStations else { throw Self.fault(.tooLarge, "it has more than \(Self.mostStations) stations") }
        let json: JSON
        do { json = try JSON.parse(object, limits: Self.limits) } catch { throw Self.fault(.badRequest, error.sentence) }
        object = []
        if let station = Self.station(json) { found.append(station) } else { passedOver += 1 }
    }

    private static func station(_ json: JSON) -> Station? {
        func text(_ names: String...) -> String { names.lazy.compactMap { json[$0]?.string }.first { !$0.isEmpty } ?? "" }
        return Station(
            title: text("name", "title"), url: text("url_resolved", "url"), picture: text("favicon", "picture"),
            country: text("country", "countrycode"), language: text("language"),
            tags: text("tags").split(separator: ",").map(String.init)
        ).checked
    }

    private static func fault(_ code: SourceFault.Code, _ why: String) -> SourceFault {
        SourceFault(code, why.hasSuffix(".") ? why : why + ".")
    }
}
