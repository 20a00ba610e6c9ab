/// An answer of a Chad Music server, limited in size, and its message for people.
import BatonCore
import BatonJSON
import BatonSeams

/// A complete answer.
struct ChadReply: Sendable {
    var status: Int
    var body: [UInt8]
    /// The pause that the server asks for.
    var retryAfterMs: Milliseconds?

    init(status: Int, body: [UInt8], retryAfterMs: Milliseconds? = nil) {
        self.status = status
        self.body = body
        self.retryAfterMs = retryAfterMs
    }

    init(_ answer: HTTPAnswer, body: [UInt8]) {
        self.init(status: answer.status, body: body, retryAfterMs: answer.retryAfterMs)
    }

    var json: JSON? { try? JSON.parse(body, limits: Self.limits) }

    /// The message for people: from the JSON, or the body's text if it is short.
    var message: String? {
        if let json { return json.text("message", "error", "detail") }
        return body.count <= 200 ? String(validating: body, as: UTF8.self).flatMap { $0.contains("<") ? nil : $0 } : nil
    }

    /// Limits that allow lists of thousands of rows, whose ids may be large numbers.
    static let limits = {
        var limits = JSONLimits()
        limits.depth = 12
        limits.members = 512
        limits.elements = 100_000
        limits.stringBytes = 16 * 1024
        limits.nameBytes = 256
        limits.largeNumbers = .text
        return limits
    }()
}

/// Server text as a part of a sentence.
enum DisplayLine {
    /// The text without control characters such as line breaks, cut to `most` characters.
    static func cut(_ text: String, _ most: Int) -> String {
        let plain = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
        return plain.count <= most ? plain : plain.prefix(most - 1) + "…"
    }
}
