/// How bytes reach a hub. The satellite brings libwebsockets; another platform brings its own, and
/// everything above it stays the same.
package protocol Transport: Sendable {
    /// Opens a WebSocket that speaks `Wire.subprotocol`. Throws `ConnectFault` with a sentence.
    func connect(to endpoint: Endpoint) async throws(ConnectFault) -> any Channel
}

/// One open WebSocket.
package protocol Channel: Sendable {
    /// Text messages in the order they came. Ends when the connection does.
    var messages: AsyncStream<[UInt8]> { get }
    /// Hands one text message over. A message sent to a connection that has ended is dropped; its
    /// end is told by `messages`.
    func send(_ text: [UInt8])
    /// Says goodbye with a close code.
    func close(_ code: UInt16)
    /// How it ended; waits until it has.
    func ending() async -> Ending
}

/// How a connection ended: the close code and sentence of the other side, if it gave any.
package struct Ending: Equatable, Sendable {
    package var code: UInt16?
    package var sentence: String

    package init(code: UInt16? = nil, sentence: String = "") {
        self.code = code
        self.sentence = sentence
    }
}

/// Why there is no connection.
package struct ConnectFault: Error, Equatable, Sendable {
    package enum Code: Equatable, Sendable {
        /// Nobody listens there.
        case nobody
        /// Somebody listens and does not want us; the status of the answer.
        case refused(status: Int)
        /// The hub ended the greeting with this close code.
        case ended(code: UInt16?)
        case timedOut
        /// The answer was not this protocol.
        case strange
    }

    package var code: Code
    /// For people.
    package var sentence: String

    package init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

/// Where a hub listens.
package enum Endpoint: Hashable, Sendable {
    case unix(path: String)
    case tcp(host: String, port: Int)

    package static let defaultPort = 9442

    /// Reads `ws://host:port`, `http://host:port/`, `host:port`, `[v6]:port`, a bare host, `unix:/path` or `/path`.
    package init?(text: String) {
        var rest = text[...]
        if rest.hasPrefix("unix:") { rest = rest.dropFirst(5) }
        if rest.hasPrefix("/") {
            self = .unix(path: String(rest))
            return
        }
        guard rest.count == text.count else { return nil }
        for scheme in ["ws://", "http://"] where rest.hasPrefix(scheme) { rest = rest.dropFirst(scheme.count) }
        rest = rest.prefix { $0 != "/" }
        guard let (host, port) = Self.split(rest) else { return nil }
        self = .tcp(host: host, port: port)
    }

    private static func split(_ text: Substring) -> (host: String, port: Int)? {
        var host = text
        var port = text[text.endIndex...]
        if text.hasPrefix("["), let close = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<close]
            port = text[text.index(after: close)...]
            guard port.isEmpty || port.hasPrefix(":") else { return nil }
            port = port.dropFirst()
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "/") }) else { return nil }
        if port.isEmpty { return (String(host), defaultPort) }
        guard let number = UInt16(port), number > 0 else { return nil }
        return (String(host), Int(number))
    }

    /// As it is written in addresses and remembered.
    package var text: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.contains(":") ? "ws://[\(host)]:\(port)" : "ws://\(host):\(port)"
        }
    }

    /// Whether the hub runs on this machine for certain.
    package var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _): host == "localhost" || host == "::1" || host.hasPrefix("127.")
        }
    }
}
