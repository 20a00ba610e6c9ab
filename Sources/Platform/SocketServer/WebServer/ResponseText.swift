import BatonSeams

/// The bytes of an answer: status line, headers, and the body unless only the head was requested.
enum ResponseText {
    private static let phrases: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found",
        303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
        401: "Unauthorized",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        411: "Length Required",
        413: "Content Too Large", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 426: "Upgrade Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 505: "HTTP Version Not Supported", 507: "Insufficient Storage",
    ]

    /// The ways in which a peer finds the end of an answer.
    enum Framing {
        case length
        /// Chunks, because the length is known only at the end (RFC 9112, 7.1).
        case chunked
        /// The end of the connection, for a client of HTTP/1.0, which does not support chunks.
        case untilEnd

        static func of(_ response: HTTPResponse, for head: RequestHead) -> Framing {
            response.length != nil ? .length : head.isNew && response.stream?.isPlain != true ? .chunked : .untilEnd
        }
    }

    /// One piece of a chunked answer; an empty piece ends it.
    static func chunk(_ piece: [UInt8]) -> [UInt8] {
        Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }

    static func bytes(of response: HTTPResponse, headOnly: Bool, keepsAlive: Bool, _ framing: Framing = .length) -> [UInt8] {
        var head = "HTTP/1.1 \(response.status) \(phrases[response.status] ?? "Status")\r\n"
        for (name, value) in response.headers where !ownHeaders.contains(name) {
            // A line break in a value would allow its author to add headers.
            head += "\(name): \(value.filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" })\r\n"
        }
        if let length = response.length { head += "content-length: \(length)\r\n" }
        if framing == .chunked { head += "transfer-encoding: chunked\r\n" }
        head += keepsAlive ? "connection: keep-alive\r\n\r\n" : "connection: close\r\n\r\n"
        var bytes: [UInt8] = []
        bytes.reserveCapacity(head.utf8.count + (headOnly ? 0 : response.body.count))
        bytes.append(contentsOf: head.utf8)
        guard !headOnly, !response.body.isEmpty else { return bytes }
        bytes.append(contentsOf: framing == .chunked ? chunk(response.body) : response.body)
        return bytes
    }

    private static let ownHeaders: Set<String> = ["connection", "content-length", "transfer-encoding"]
}
