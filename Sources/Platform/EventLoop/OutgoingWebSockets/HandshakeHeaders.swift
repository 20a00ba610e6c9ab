import BatonSeams

/// Custom headers of a WebSocket request, checked and formatted as lines.
enum HandshakeHeaders {
    /// Limit of bytes, since libwebsockets has one buffer for a whole request.
    static let mostBytes = 2_048

    /// libwebsockets writes these itself.
    private static let written: Set<String> = [
        "connection", "content-length", "host", "sec-websocket-extensions", "sec-websocket-key", "sec-websocket-protocol",
        "sec-websocket-version", "transfer-encoding", "upgrade",
    ]

    static func lines(of request: WebSocketRequest, to url: WebSocketURL) throws(WebSocketFault) -> [UInt8] {
        var lines: [UInt8] = []
        for (name, value) in request.headers {
            guard HeaderText.isToken(name), HeaderText.isValue(value) else {
                throw WebSocketFault(.badRequest, "A header for \(url.name) has a character that no header may have.")
            }
            guard !written.contains(name.lowercased()) else {
                throw WebSocketFault(.badRequest, "The header \(name) for \(url.name) is set by the WebSocket itself.")
            }
            lines += Array("\(name): \(value)\r\n".utf8)
        }
        guard request.subprotocols.allSatisfy(HeaderText.isToken) else {
            throw WebSocketFault(.badRequest, "A subprotocol for \(url.name) is not a word without spaces and marks.")
        }
        let offered = request.subprotocols.reduce(0) { $0 + $1.utf8.count + 2 }
        guard lines.count + url.target.utf8.count + offered <= mostBytes else {
            throw WebSocketFault(
                .badRequest, "The address, the headers and the subprotocols for \(url.name) have more than \(mostBytes) bytes.")
        }
        return lines
    }
}

/// An HTTP proxy from the environment: `http://host:port`, with an optional scheme.
struct ProxyAddress: Equatable {
    let host: String
    let port: UInt16

    init?(_ text: String) {
        let parts = text.split(separator: "://", maxSplits: 1)
        guard parts.count == 1 || parts.first?.lowercased() == "http", var bare = parts.last else { return nil }
        bare = bare.prefix { $0 != "/" }
        guard !bare.contains("@"), let url = try? WebSocketURL("ws://\(bare)/") else { return nil }
        host = url.host
        port = url.port
    }
}
