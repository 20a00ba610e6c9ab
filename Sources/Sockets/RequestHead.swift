import BatonSeams
import CWebSockets
import Glibc

/// What a request says before its body, copied out of libwebsockets' header table.
///
/// The table lives until the request is answered; nothing here points into it afterwards.
struct RequestHead {
    /// `nil` for a method that this server does not know.
    var method: HTTPRequest.Method?
    var path: String
    var query: [(name: String, value: String)]
    var headers: [String: String]
    /// Whether the connection may serve another request after this one.
    var keepsAlive: Bool

    /// The headers kept of every request.
    private static let kept: [(name: String, token: lws_token_indexes)] = [
        ("accept", WSI_TOKEN_HTTP_ACCEPT), ("authorization", WSI_TOKEN_HTTP_AUTHORIZATION), ("connection", WSI_TOKEN_CONNECTION),
        ("content-length", WSI_TOKEN_HTTP_CONTENT_LENGTH), ("content-type", WSI_TOKEN_HTTP_CONTENT_TYPE), ("cookie", WSI_TOKEN_HTTP_COOKIE),
        ("host", WSI_TOKEN_HOST), ("if-none-match", WSI_TOKEN_HTTP_IF_NONE_MATCH), ("if-range", WSI_TOKEN_HTTP_IF_RANGE),
        ("origin", WSI_TOKEN_ORIGIN), ("range", WSI_TOKEN_HTTP_RANGE), ("sec-websocket-key", WSI_TOKEN_KEY),
        ("sec-websocket-protocol", WSI_TOKEN_PROTOCOL), ("sec-websocket-version", WSI_TOKEN_VERSION),
        ("transfer-encoding", WSI_TOKEN_HTTP_TRANSFER_ENCODING), ("upgrade", WSI_TOKEN_UPGRADE), ("user-agent", WSI_TOKEN_HTTP_USER_AGENT),
        ("via", WSI_TOKEN_HTTP_VIA), ("x-forwarded-for", WSI_TOKEN_X_FORWARDED_FOR), ("x-real-ip", WSI_TOKEN_HTTP_X_REAL_IP),
    ]
    /// Kept too, but without a token of libwebsockets.
    private static let custom = [
        "forwarded", "x-forwarded-host", "x-forwarded-port", "x-forwarded-prefix", "x-forwarded-proto", "x-forwarded-scheme",
        "x-forwarded-server", "x-forwarded-ssl",
    ]
    /// What only a proxy adds. A request with any of these did not begin on this machine.
    private static let marksOfProxies = custom + ["via", "x-forwarded-for", "x-real-ip"]

    init(of wsi: OpaquePointer) {
        headers = unsafe Self.headers(of: wsi)
        var start: UnsafeMutablePointer<CChar>?
        var length: Int32 = 0
        let verb = unsafe lws_http_get_uri_and_method(wsi, &start, &length)
        method = unsafe Self.method(of: wsi, verb)
        if let start = unsafe start, length > 0 {
            path = unsafe String(
                decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer(start), count: Int(length)), as: UTF8.self)
        } else {
            path = "/"
        }
        query = unsafe Self.query(of: wsi)
        let isNew = unsafe Self.text(of: wsi, WSI_TOKEN_HTTP) == "HTTP/1.1"
        switch headers["connection"]?.lowercased() {
        case "keep-alive": keepsAlive = true
        case "close": keepsAlive = false
        default: keepsAlive = isNew
        }
    }

    func request(from peer: Peer, body: [UInt8] = []) -> HTTPRequest {
        HTTPRequest(method: method ?? .get, path: path, query: query, headers: headers, body: body, peer: self.peer(behind: peer))
    }

    /// Who is at the other end, after the proxies were heard.
    private func peer(behind peer: Peer) -> Peer {
        // Whoever comes by TLS has to say who they are, proxy or not.
        guard peer.channel != .tls, Self.marksOfProxies.contains(where: { headers[$0] != nil }) else { return peer }
        return Peer(channel: .network, address: peer.address)
    }

    private static func method(of wsi: OpaquePointer, _ verb: Int32) -> HTTPRequest.Method? {
        switch verb {
        case Int32(LWSHUMETH_GET): .get
        case Int32(LWSHUMETH_HEAD): .head
        case Int32(LWSHUMETH_POST): .post
        default: nil
        }
    }

    private static func headers(of wsi: OpaquePointer) -> [String: String] {
        var found: [String: String] = [:]
        for (name, token) in kept {
            if let text = unsafe text(of: wsi, token) { found[name] = text }
        }
        for name in custom {
            let key = name + ":"
            let length = unsafe lws_hdr_custom_length(wsi, key, Int32(key.utf8.count))
            guard length >= 0 else { continue }
            found[name] = unsafe copied(Int(length)) { unsafe lws_hdr_custom_copy(wsi, $0, $1, key, Int32(key.utf8.count)) }
        }
        return found
    }

    private static func query(of wsi: OpaquePointer) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        while true {
            let index = Int32(found.count)
            let length = unsafe lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, index)
            guard length > 0 else { return found }
            let text = unsafe copied(Int(length)) { unsafe lws_hdr_copy_fragment(wsi, $0, $1, WSI_TOKEN_HTTP_URI_ARGS, index) }
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            found.append((String(parts[0]), parts.count > 1 ? String(parts[1]) : ""))
        }
    }

    private static func text(of wsi: OpaquePointer, _ token: lws_token_indexes) -> String? {
        let length = unsafe lws_hdr_total_length(wsi, token)
        guard length > 0 else { return nil }
        return unsafe copied(Int(length)) { unsafe lws_hdr_copy(wsi, $0, $1, token) }
    }

    private static func copied(_ length: Int, _ copy: (UnsafeMutablePointer<CChar>, Int32) -> Int32) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 2) { room in
            guard let start = room.baseAddress else { return "" }
            let count = unsafe copy(start, Int32(length + 2))
            return unsafe String(decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer(start), count: max(0, Int(count))), as: UTF8.self)
        }
    }
}
