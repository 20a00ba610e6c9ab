import BatonSeams

/// The head of an answer, line by line as libcurl delivers it. Lines of interim answers (1xx) are forgotten.
struct AnswerHead {
    private(set) var status = 0
    private(set) var headers: [HTTPCall.Header] = []
    private(set) var bytes = 0
    private(set) var isComplete = false
    /// The caller has it.
    var isDelivered = false

    /// How servers of radio begin their answers that are older than HTTP in it.
    static let radio = "ICY 200"

    /// True when this line was the last.
    mutating func take(_ line: String, bytes count: Int) -> Bool {
        bytes += count
        let text = line.trimmed
        if text.isEmpty {
            isComplete = status >= 200
            return isComplete
        }
        if isComplete { return false }  // A trailer behind a chunked body.
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

    /// Where it leads to, when it is a redirect.
    var redirect: String? {
        isComplete && Redirect.statuses.contains(status) ? header("location") : nil
    }

    /// How long the body says it is.
    var length: Int64? { header("content-length").flatMap { Int64($0) } }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }
}
