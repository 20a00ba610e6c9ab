import BatonProtocol

/// The size limits of a message to a client that set `hello.max`. First lists end sooner, then texts are cut shorter, then details are left
/// out, until the message fits.
package struct MessageBounds: Equatable, Sendable {
    /// The longest whole message, in bytes.
    package var message: Int
    /// The longest text for people, in bytes.
    package var text: Int

    /// No limits, for clients that did not ask for any.
    package static let none = MessageBounds(message: .max, text: .max)

    /// Text limits that are tried in order.
    fileprivate static let textSteps = [Int.max, 96, 48, 24, 12]

    /// True if details are left out too.
    var isTerse: Bool { text <= 24 }
    /// True if only identifying members are left.
    var isMinimal: Bool { text <= 12 }
}

extension JSONWriter {
    /// A message of at most `most` bytes; `nil` if it cannot be shortened enough.
    package static func fitting(_ most: Int, headroom: Int = 0, _ body: (inout JSONWriter) -> Void) -> [UInt8]? {
        for text in MessageBounds.textSteps {
            var writer = JSONWriter(headroom: headroom)
            writer.bounds = MessageBounds(message: most, text: text)
            body(&writer)
            if writer.count <= most { return writer.finish() }
        }
        return nil
    }

    /// A text for people, cut to its own limit and the message's.
    func shown(_ text: String, _ limit: DisplayText) -> String {
        guard bounds.text < limit.bytes else { return limit.cut(text) }
        return DisplayText(clusters: limit.clusters, bytes: bounds.text).cut(text)
    }

    /// The position at which a list must end, so that `rest` bytes fit behind it.
    func end(leaving rest: Int) -> Int { bounds.message == .max ? .max : bounds.message - rest }

    /// The part of `bytes` that may still be written, so that `rest` bytes fit behind it.
    func left(of bytes: Int, leaving rest: Int) -> Int { min(bytes, max(0, bounds.message - count - rest)) }
}
