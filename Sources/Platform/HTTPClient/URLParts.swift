import BatonSeams
import CCurl

/// A URL as libcurl parses it. It is parsed once, and libcurl gets the result as text, so that the policy and the connection use the same
/// host.
struct URLParts: Equatable, Sendable {
    /// The whole URL in libcurl's normal form.
    let text: String
    /// `http` or `https`.
    let scheme: String
    /// In lower case; an IPv6 address in brackets.
    let host: String
    let port: Int

    /// The server's name for messages.
    var origin: String {
        let isUsual = port == (scheme == "https" ? 443 : 80)
        return isUsual ? host : "\(host):\(port)"
    }

    /// Whether both are on the same server, which alone gets custom headers.
    func isSameServer(as other: URLParts) -> Bool { scheme == other.scheme && host == other.host && port == other.port }

    init(_ text: String) throws(HTTPCallFault) { self = try Self.parse(text, relativeTo: nil) }

    /// The target of a `Location` header in the response to this URL.
    func following(_ location: String) throws(HTTPCallFault) -> URLParts { try Self.parse(location, relativeTo: self) }

    private init(text: String, scheme: String, host: String, port: Int) {
        self.text = text
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    private static func parse(_ text: String, relativeTo base: URLParts?) throws(HTTPCallFault) -> URLParts {
        guard let handle = unsafe baton_curl_url() else { throw HTTPCallFault(.unavailable, "There is no memory for a call.") }
        defer { unsafe baton_curl_url_cleanup(handle) }
        let server = base?.origin
        func set(_ text: String) -> Bool {
            guard text.utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else { return false }
            return unsafe baton_curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK
        }
        func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
            var found: UnsafeMutablePointer<CChar>?
            guard unsafe baton_curl_url_get(handle, part, &found, UInt32(flags)) == CURLUE_OK, let text = unsafe found else { return nil }
            defer { unsafe baton_curl_free(text) }
            return unsafe String(cString: text)
        }
        guard base.map({ set($0.text) }) ?? true, set(text), let scheme = part(CURLUPART_SCHEME)?.lowercased(),
            ["http", "https"].contains(scheme), let host = part(CURLUPART_HOST)?.lowercased(), !host.isEmpty,
            let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) }), let whole = part(CURLUPART_URL)
        else {
            throw server.map { HTTPCallFault(.badAnswer, "\($0) redirects to an address that is no complete http or https URL.") }
                ?? HTTPCallFault(.badCall, "A call needs a complete http or https URL.")
        }
        return URLParts(text: whole, scheme: scheme, host: host, port: port)
    }
}

/// Custom headers of a call as lines of a request.
enum HeaderLines {
    static func check(_ headers: [HTTPCall.Header], to url: URLParts) throws(HTTPCallFault) {
        for header in headers {
            guard HeaderText.isToken(header.name), HeaderText.isValue(header.value) else {
                throw HTTPCallFault(.badCall, "A header for \(url.origin) has a character that no header may have.")
            }
        }
    }

    static func has(_ name: String, in headers: [HTTPCall.Header]) -> Bool { headers.contains { $0.name.lowercased() == name } }
}
