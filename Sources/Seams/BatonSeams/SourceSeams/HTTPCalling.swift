package import BatonCore

/// HTTP calls to other servers, used by connectors.
///
/// Every call is limited in time and in bytes, and an `AddressPolicy` checks each address before it is connected to. Answers are not decompressed, so
/// that a few bytes cannot become many. Never called on the loop.
package protocol HTTPCalling: Sendable {
    /// Returns with the head of the answer, whatever its status, after following redirects. The body is read piece by piece from the answer; dropping
    /// the answer ends its transfer.
    func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer

    /// The file or stream of a GET. Throws when its server answers with an error.
    func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource
}

package struct HTTPCall: Sendable {
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET", head = "HEAD", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
    }

    package var method: Method
    /// The URL, http or https.
    package var url: String
    /// Headers for the server in `url`. After a redirect no other server gets them, because they may hold keys.
    package var headers: [Header]
    /// The body, for methods that have one.
    package var body: [UInt8]
    /// Replaces `body` if that is too long for memory: it is read once, from its beginning, while it is sent.
    package var content: (any ByteSource)?
    /// The first wanted byte and, if known, the end after the last one.
    package var range: HTTPCallRange?
    /// The limits of time and size.
    package var limits: HTTPCallLimits
    /// The rule for addresses; public ones only, unless the caller knows the server.
    package var policy: AddressPolicy
    /// True for requests that must not arrive twice: no earlier connection is reused, because a request that is lost on one is sent again.
    package var isSentOnce = false
    /// True when the target may be a radio station: titles are requested (`Icy-MetaData`), also after a redirect, and `ICY 200 OK` is accepted.
    package var isRadio = false

    /// A header of a request or an answer.
    package struct Header: Equatable, Sendable {
        /// The name, in lower case in answers.
        package var name: String
        /// The value as it is sent.
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        _ method: Method = .get, _ url: String, headers: [Header] = [], body: [UInt8] = [], range: HTTPCallRange? = nil,
        limits: HTTPCallLimits = HTTPCallLimits(), policy: AddressPolicy = .publicOnly
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.range = range
        self.limits = limits
        self.policy = policy
    }
}

/// A range of bytes to request.
package struct HTTPCallRange: Equatable, Sendable {
    package var start: Int64
    /// The byte after the last one; `nil` for the rest.
    package var end: Int64?

    package init(start: Int64, end: Int64? = nil) {
        self.start = start
        self.end = end
    }
}

/// Limits for the time and the size of a call, and its priority.
package struct HTTPCallLimits: Equatable, Sendable {
    /// Time limit for name lookup, connection and TLS.
    package var connect: Duration = .seconds(10)
    /// Time limit from the start of the call to the head of the answer, redirects included.
    package var head: Duration = .seconds(20)
    /// Time limit from the start to the end of the body; `nil` for a stream, which `silence` limits.
    package var total: Duration? = .seconds(60)
    /// Maximum time without data while a body is read. Whole seconds.
    package var silence: Duration = .seconds(20)
    /// Number of redirects that are followed.
    package var redirects = 5
    /// Maximum size of the headers of one answer.
    package var headBytes = 64 * 1024
    /// Maximum size of the body; `nil` for an endless stream.
    package var bodyBytes: Int64? = 8 << 20
    /// True for background work, which runs only when the processor is free.
    package var isQuiet = false

    package init() {}

    /// Limits for files that are copied in the background.
    package static var copy: HTTPCallLimits {
        var limits = stream
        limits.isQuiet = true
        return limits
    }

    /// Limits for files and streams that are read while they play.
    package static var stream: HTTPCallLimits {
        var limits = HTTPCallLimits()
        limits.total = nil
        limits.bodyBytes = nil
        return limits
    }
}

/// The head of an answer, and access to its body.
package struct HTTPAnswer: Sendable {
    /// The status code of the last answer, after redirects.
    package var status: Int
    /// Headers with names in lower case, in the order in which the server sent them.
    package var headers: [HTTPCall.Header]
    /// The body, which has not been read yet.
    package var body: any HTTPBody
    /// The permanent new address (301, 308), if every redirect on the way was permanent.
    package var movedTo: String?

    package init(status: Int, headers: [HTTPCall.Header], body: any HTTPBody, movedTo: String? = nil) {
        self.movedTo = movedTo
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header with this name, which is in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The time of the server's clock, in milliseconds since 1970. Its other times refer to this clock.
    package var dateMs: Milliseconds? { header("date").flatMap { FeedTime.moment($0) } }

    /// The delay that the server asks for, at most 18 hours. The other form of this header, a date, is sent by feeds only.
    package var retryAfterMs: Milliseconds? { header("retry-after").flatMap { UInt16($0) }.map { Milliseconds.seconds($0) } }

    /// The complete body, within the call's limit.
    package func whole() async throws(HTTPCallFault) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await body.next() { bytes += piece }
        return bytes
    }
}

/// The body of an answer, for one reader at a time. The server is slowed down while nothing is read.
package protocol HTTPBody: AnyObject, Sendable {
    /// The next piece; `nil` at the end.
    func next() async throws(HTTPCallFault) -> [UInt8]?
    /// The rest of the body as a connection; `nil` when it does not arrive byte for byte (TLS, chunks, a proxy) or has arrived already. After a
    /// connection was returned, nothing more is read here.
    func connection() async -> BodyConnection?
    /// Ends the transfer. A waiting reader gets `cancelled`.
    func cancel()
}

extension HTTPBody {
    /// Default for bodies that can only be read.
    package func connection() async -> BodyConnection? { nil }
}

/// The reason why a call has no answer. The sentence names the server, and never the path, the query, a header or the body.
package struct HTTPCallFault: Error, Equatable, Sendable {
    /// The kind of fault, from which `asSourceFault` follows.
    package enum Code: Equatable, Sendable {
        /// The call itself is invalid.
        case badCall
        /// The policy refuses the address.
        case refused
        /// The name was not found, there was no connection, or it broke.
        case unreachable
        /// The server's certificate is not valid for its name.
        case certificate
        /// One of the time limits of the call has passed.
        case timedOut
        /// The headers or the body exceed a limit.
        case tooLarge
        /// The server has redirected more often than permitted.
        case tooManyRedirects
        /// The answer does not follow HTTP.
        case badAnswer
        /// The caller has cancelled the call.
        case cancelled
        /// libcurl is not installed, or too many calls are under way.
        case unavailable
    }

    package var code: Code
    package var sentence: String
    /// True when there was no connection, so that the server cannot have received the request.
    package var isUntaken = false

    package init(_ code: Code, _ sentence: String, isUntaken: Bool = false) {
        self.code = code
        self.sentence = sentence
        self.isUntaken = isUntaken
    }

    /// The fault in the form that connectors throw.
    package var asSourceFault: SourceFault {
        var fault = sentenceAlone
        fault.isUntaken = fault.code == .unavailable && isUntaken
        return fault
    }

    private var sentenceAlone: SourceFault {
        switch code {
        case .badCall, .badAnswer, .tooManyRedirects: SourceFault(.failed, sentence)
        case .refused: SourceFault(.forbidden, sentence)
        case .tooLarge: SourceFault(.tooLarge, sentence)
        case .cancelled: SourceFault(.cancelled, sentence)
        case .unreachable, .certificate, .timedOut, .unavailable: SourceFault(.unavailable, sentence)
        }
    }
}
