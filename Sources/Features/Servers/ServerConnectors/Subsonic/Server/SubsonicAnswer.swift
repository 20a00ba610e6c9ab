/// Lenient parsing of a Subsonic server's answers: servers omit empty lists, mix up numbers and texts, and use HTTP
/// statuses differently.
import BatonJSON
import BatonSeams

/// A record of an answer, in which every member may be missing.
struct SubsonicRecord: Equatable, Sendable {
    let json: JSON

    init(_ json: JSON) { self.json = json }

    /// The first of these members that contains text. Numbers count as text, since some servers write ids as numbers.
    func text(_ names: String...) -> String? {
        for name in names {
            switch json[name] {
            case .string(let text) where !text.isEmpty: return text
            case .int(let number): return String(number)
            case .double(let number): return String(number)
            default: continue
            }
        }
        return nil
    }

    func int(_ names: String...) -> Int? {
        for name in names {
            switch json[name] {
            case .int(let number): return Int(number)
            case .double(let number) where number.magnitude < 1e15: return Int(number)
            case .string(let text): if let number = Int(text) { return number }
            default: continue
            }
        }
        return nil
    }

    func double(_ name: String) -> Double? {
        switch json[name] {
        case .int(let number): Double(number)
        case .double(let number): number
        case .string(let text): Double(text)
        default: nil
        }
    }

    func flag(_ name: String) -> Bool {
        switch json[name] {
        case .bool(let flag): flag
        case .string(let text): text.lowercased() == "true" || text == "1"
        case .int(let number): number != 0
        default: false
        }
    }

    func has(_ name: String) -> Bool { json[name].map { !$0.isNull } ?? false }

    /// A member that is a record; an empty record if it is missing.
    func record(_ name: String) -> SubsonicRecord { SubsonicRecord(json[name] ?? [:]) }

    /// A list of records. A server that converts its XML to JSON may write a list of one without brackets.
    func list(_ name: String) -> [SubsonicRecord] {
        switch json[name] {
        case .array(let elements): elements.filter { $0.object != nil }.map(SubsonicRecord.init)
        case .object(let object): [SubsonicRecord(.object(object))]
        default: []
        }
    }

    /// The texts in a list of texts, or in a list of records that have this member.
    func texts(_ name: String, of member: String) -> [String] {
        guard let elements = json[name]?.array else { return [] }
        return elements.compactMap { element in
            if let text = element.string { return text.isEmpty ? nil : text }
            return SubsonicRecord(element).text(member)
        }
    }
}

/// The error in an answer's envelope.
struct SubsonicError: Error, Equatable, Sendable {
    var code: Int
    var message: String?

    /// Whether the server refuses this way to log in; it may accept the password itself. supysonic answers 10 to a token.
    var refusesMechanism: Bool { code == 10 || code == 41 || code == 42 }
}

/// The content of an answer, or the reason why it has none.
enum SubsonicAnswer: Equatable, Sendable {
    case content(SubsonicRecord)
    case error(SubsonicError)
    /// The server lacks this method.
    case lacking
    /// An answer that is not understood. The text is a sentence to which the server's name is added as its subject.
    case unreadable(SourceFault.Code, String)

    static let limits: JSONLimits = {
        var limits = JSONLimits()
        limits.depth = 24
        limits.members = 1_000
        limits.elements = 200_000
        limits.stringBytes = 1 << 20
        limits.nameBytes = 512
        limits.largeNumbers = .text
        return limits
    }()

    init(status: Int, _ bytes: [UInt8]) {
        guard let envelope = Self.envelope(bytes) else {
            self = Self.unreadable(status, bytes)
            return
        }
        if envelope.text("status") != "failed" {
            self = status < 400 ? .content(envelope) : Self.unreadable(status, [])
            return
        }
        let error = envelope.record("error")
        let code = error.int("code") ?? 0
        // supysonic answers like this to a method that it lacks.
        if status == 404 || status == 501 || status == 410, code != 70 {
            self = .lacking
        } else {
            self = .error(SubsonicError(code: code, message: error.text("message")))
        }
    }

    private static func envelope(_ bytes: [UInt8]) -> SubsonicRecord? {
        guard let inner = (try? JSON.parse(bytes, limits: limits))?["subsonic-response"], inner.object != nil else { return nil }
        return SubsonicRecord(inner)
    }

    /// The reason why an answer is no JSON: plain text, a proxy's page, XML, or truncated JSON.
    private static func unreadable(_ status: Int, _ bytes: [UInt8]) -> SubsonicAnswer {
        switch status {
        case 404, 405, 410, 501: .lacking
        case 401, 403: .unreadable(.forbidden, "refuses this account (status \(status))")
        case 413, 414, 431: .unreadable(.failed, "refuses a request of this size (status \(status))")
        case 500...: .unreadable(.unavailable, "cannot answer just now (status \(status))")
        case 300...: .unreadable(.failed, "answers with status \(status)")
        default: .unreadable(.failed, bytes.isEmpty ? "answers with nothing" : "answers with something else than Subsonic's JSON")
        }
    }
}
