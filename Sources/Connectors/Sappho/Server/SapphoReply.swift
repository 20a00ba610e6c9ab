/// An answer of a Sappho server, read to its end and bounded, and what it says to people.
import BatonCore
import BatonJSON
import BatonSeams

struct SapphoReply: Sendable {
    var status: Int
    var body: [UInt8]
    /// How long the server asks to be left alone.
    var retryAfterMs: Int?
    /// What the server's clock showed, in milliseconds since 1970.
    var dateMs: Int64?

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

    /// `nil` for a page or other text: the server answers so where it does not know a path.
    var json: JSON? { try? JSON.parse(body, limits: Self.limits) }

    var message: String? { json.flatMap { $0.line("error", most: 160) ?? $0.line("message", most: 160) } }

    /// For lists of two thousand books with their descriptions.
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
