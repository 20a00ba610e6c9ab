import BatonCore

/// Calls to other servers over HTTP: what a connector uses to reach its source.
///
/// Every call is bounded in time and in bytes, and an `AddressPolicy` is asked about each address before it is connected to.
/// Answers are not decompressed, so that a few bytes cannot become many. None of this is for the loop's thread.
package protocol HTTPCalling: Sendable {
    /// Returns when the head of the answer is there, whatever its status. Redirects were followed by then. The body is
    /// read piece by piece from the answer; an answer that is dropped ends its transfer.
    func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer

    /// The file or stream behind a GET. Throws when its server answers with an error.
    func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource
}

package struct HTTPCall: Sendable {
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET", head = "HEAD", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
    }

    package var method: Method
    package var url: String
    /// Sent to the server that `url` names and, after a redirect, to no other: they may hold its keys.
    package var headers: [Header]
    package var body: [UInt8]
    /// In the place of `body`, for one that is too long to be held: it is read once, from its beginning, while it is sent.
    package var content: (any ByteSource)?
    /// The first byte that is wanted and, where it is known, the end behind the last one.
    package var range: HTTPCallRange?
    package var limits: HTTPCallLimits
    package var policy: AddressPolicy
    /// For what would count twice: no connection of an earlier call is used, since a request that such a one loses is sent again.
    package var isSentOnce = false
    /// It may be radio: titles are asked for (`Icy-MetaData`), also behind a redirect, and an answer of `ICY 200 OK` is taken.
    package var isRadio = false

    package struct Header: Equatable, Sendable {
        package var name: String
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

package struct HTTPCallRange: Equatable, Sendable {
    package var start: Int64
    package var end: Int64?

    package init(start: Int64, end: Int64? = nil) {
        self.start = start
        self.end = end
    }
}

/// How long a call may take, how large its answer may be, and whether others go first.
package struct HTTPCallLimits: Equatable, Sendable {
    /// Name look-up, connection and TLS.
    package var connect: Duration = .seconds(10)
    /// From the beginning of the call until the head of the answer is there, redirects included.
    package var head: Duration = .seconds(20)
    /// From the beginning until the end of the body; `nil` for a stream, which `silence` bounds.
    package var total: Duration? = .seconds(60)
    /// How long a body that is being read may bring nothing. Whole seconds.
    package var silence: Duration = .seconds(20)
    package var redirects = 5
    package var headBytes = 64 * 1024
    /// `nil` for a stream without end.
    package var bodyBytes: Int64? = 8 << 20
    /// Background work, which gets the processor where everything else leaves some.
    package var isQuiet = false

    package init() {}

    /// For files that are copied behind everything else.
    package static var copy: HTTPCallLimits {
        var limits = stream
        limits.isQuiet = true
        return limits
    }

    /// For files and streams, which are read as fast as they are heard.
    package static var stream: HTTPCallLimits {
        var limits = HTTPCallLimits()
        limits.total = nil
        limits.bodyBytes = nil
        return limits
    }
}

/// The head of an answer, and the way to its body.
package struct HTTPAnswer: Sendable {
    package var status: Int
    /// Names in lower case, in the order in which the server sent them.
    package var headers: [HTTPCall.Header]
    package var body: any HTTPBody
    /// Where the servers said that the file is for good (301, 308), as far as each redirect on the way said so.
    package var movedTo: String?

    package init(status: Int, headers: [HTTPCall.Header], body: any HTTPBody, movedTo: String? = nil) {
        self.movedTo = movedTo
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header of this name, in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// What the server's clock showed, in milliseconds since 1970. Times that it writes are by this clock.
    package var dateMs: Int64? { header("date").flatMap { FeedTime.moment($0) } }

    /// How long the server asks to be left alone, of at most 18 hours. The other form of this header, a date, is sent by feeds only.
    package var retryAfterMs: Int? { header("retry-after").flatMap { UInt16($0) }.map { Int($0) * 1_000 } }

    /// The whole body; no more than the call's limit.
    package func whole() async throws(HTTPCallFault) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await body.next() { bytes += piece }
        return bytes
    }
}

/// The body of an answer. One task reads it at a time. The server is slowed down while nothing is read.
package protocol HTTPBody: AnyObject, Sendable {
    /// `nil` at the end.
    func next() async throws(HTTPCallFault) -> [UInt8]?
    /// The rest of the body as a connection; `nil` when it does not come byte for byte (TLS, chunks, a proxy) or is there already.
    /// When there is one, nothing more is read here.
    func connection() async -> BodyConnection?
    /// Ends the transfer. A caller that waits for a piece gets `cancelled`.
    func cancel()
}

extension HTTPBody {
    package func connection() async -> BodyConnection? { nil }
}

/// Why a call brought no answer. The sentence names the server and never the path, the query, a header or the body.
package struct HTTPCallFault: Error, Equatable, Sendable {
    package enum Code: Equatable, Sendable {
        /// The call itself makes no sense.
        case badCall
        /// The policy does not allow the address.
        case refused
        /// No name, no connection, or it broke off.
        case unreachable
        case certificate
        case timedOut
        case tooLarge
        case tooManyRedirects
        case badAnswer
        case cancelled
        /// libcurl is not installed, or too many calls are under way.
        case unavailable
    }

    package var code: Code
    package var sentence: String
    /// There was no connection, so the server cannot have got the request.
    package var isUntaken = false

    package init(_ code: Code, _ sentence: String, isUntaken: Bool = false) {
        self.code = code
        self.sentence = sentence
        self.isUntaken = isUntaken
    }

    /// The same as a connector says it.
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
