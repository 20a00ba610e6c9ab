/// A complete answer of the server, limited in size, and its message for people.
import BatonCore
import BatonJSON
import BatonSeams

struct SapphoReply: Sendable {
    var status: Int
    var body: [UInt8]
    /// The pause that the server asks for.
    var retryAfterMs: Milliseconds?
    /// The server's clock, in milliseconds since 1970.
    var dateMs: Milliseconds?

    init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }

    init(_ answer: HTTPAnswer, body: [UInt8]) {
        self.init(status: answer.status, body: body)
        retryAfterMs = answer.retryAfterMs
        dateMs = answer.dateMs
    }

    var isWell: Bool { 200..<300 ~= status }

    /// The parsed body; `nil` for a web page or other text, which the server sends for unknown paths.
    var json: JSON? { try? JSON.parse(body, limits: Self.limits) }

    var message: String? { json.flatMap { $0.line("error", most: 160) ?? $0.line("message", most: 160) } }

    /// Limits that allow lists of two thousand books with their descriptions.
    private static let limits = {
        var limits = JSONLimits()
        limits.depth = 12
        limits.members = 512
        limits.elements = 400_000
        limits.stringBytes = 256 << 10
        limits.nameBytes = 256
        limits.largeNumbers = .text
        return limits
    }()
}
