import BatonSeams

/// The head of a response, line by line as libcurl delivers it. Lines of interim responses (1xx) are dropped.
struct AnswerHead {
    private(set) var status = 0
    private(set) var headers: [HTTPCall.Header] = []
    private(set) var bytes = 0
    private(set) var isComplete = false
    /// True once the caller has it.
    var isDelivered = false

    /// The status line of old radio servers, which replaces HTTP's.
    static let radio = "ICY 200"

    /// True if this was the last line.
    mutating func take(_ line: String, bytes count: Int) -> Bool {
        bytes += count
        let text = line.trimmed
        if text.isEmpty {
            isComplete = status >= 200
            return isComplete
        }
        if isComplete { return false }  // A trailer after a chunked body.
        if text.hasPrefix("HTTP/") || text.hasPrefix(Self.radio) {
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            headers = []
        } else if let colon = text.firstIndex(of: ":") {
            headers.append(
                HTTPCall.Header(text[..<colon].lowercased(), String(text[text.index(after: colon)...]).trimmed))
        }
        return false
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The target of a redirect.
    var redirect: String? {
        isComplete && Redirect.statuses.contains(status) ? header("location") : nil
    }

    /// The length that the header states for the body.
    var length: Int64? { header("content-length").flatMap { Int64($0) } }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }
}
