import BatonSeams

/// An answer as bytes: status line, headers, and the body unless only the head was asked for.
enum ResponseText {
    private static let phrases: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found",
        303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
        401: "Unauthorized",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
        413: "Content Too Large", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 426: "Upgrade Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]

    static func bytes(of response: HTTPResponse, headOnly: Bool, keepsAlive: Bool) -> [UInt8] {
        var head = "HTTP/1.1 \(response.status) \(phrases[response.status] ?? "Status")\r\n"
        for (name, value) in response.headers where name != "content-length" && name != "connection" {
            // A line break in a value would let its author write headers of his own.
            head += "\(name): \(value.filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" })\r\n"
        }
        head += "content-length: \(response.length)\r\n"
        head += keepsAlive ? "connection: keep-alive\r\n\r\n" : "connection: close\r\n\r\n"
        var bytes: [UInt8] = []
        bytes.reserveCapacity(head.utf8.count + (headOnly ? 0 : response.body.count))
        bytes.append(contentsOf: head.utf8)
        if !headOnly { bytes.append(contentsOf: response.body) }
        return bytes
    }
}
