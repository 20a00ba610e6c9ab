import BatonSeams
import CCurl
import Glibc

/// Options and callbacks of a request for libcurl.
///
/// Callbacks run on libcurl's thread within `Transfers.perform` or `Transfer.resume`. Their bytes are valid for the call.
enum TransferOptions {
    /// libcurl uses the lists in place, and copies texts.
    static func set(
        on easy: UnsafeMutableRawPointer, for transfer: Transfer, lines: UnsafeMutablePointer<curl_slist>?,
        beginnings: UnsafeMutablePointer<curl_slist>?
    ) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        unsafe _ = baton_curl_set_pointer(easy, CURLOPT_PRIVATE, context)
        unsafe numbers(easy, transfer)
        unsafe texts(easy, transfer)
        unsafe method(easy, transfer)
        if let lines = unsafe lines { unsafe _ = baton_curl_set_pointer(easy, CURLOPT_HTTPHEADER, lines) }
        if let beginnings = unsafe beginnings { unsafe _ = baton_curl_set_pointer(easy, CURLOPT_HTTP200ALIASES, beginnings) }
        unsafe _ = baton_curl_on_header(easy, headerCame, context)
        unsafe _ = baton_curl_on_body(easy, bodyCame, context)
        unsafe _ = baton_curl_on_socket(easy, socketWanted, context)
        unsafe _ = baton_curl_on_connection(easy, connectionReady, context)
    }

    private static func numbers(_ easy: UnsafeMutableRawPointer, _ transfer: Transfer) {
        let limits = transfer.call.limits
        let numbers: [(CURLoption, Int)] = [
            // The loop handles signals; and a name look-up that hangs must not block this thread when its call is cancelled.
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_QUICK_EXIT, 1),
            // Redirects are followed by `Transfer`, since libcurl would send all custom headers to the next server.
            (CURLOPT_FOLLOWLOCATION, 0),
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)), (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_CONNECTTIMEOUT_MS, max(1, limits.connect.milliseconds)),
            (CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, max(1, limits.silence.milliseconds / 1000)),
            // libcurl repeats a request when a reused connection breaks without a response.
            (CURLOPT_FRESH_CONNECT, transfer.call.isSentOnce || transfer.outgoing != nil ? 1 : 0),
            (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_TCP_KEEPALIVE, 1), (CURLOPT_BUFFERSIZE, 64 * 1024),
        ]
        for (option, value) in numbers { unsafe _ = baton_curl_set_number(easy, option, value) }
    }

    private static func texts(_ easy: UnsafeMutableRawPointer, _ transfer: Transfer) {
        var texts: [(CURLoption, String)] = [
            (CURLOPT_URL, transfer.url.text), (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_USERAGENT, transfer.options.agent),
            // Both are always set, so that libcurl does not read them from the environment.
            (CURLOPT_PROXY, transfer.proxy ?? ""), (CURLOPT_NOPROXY, ""),
        ]
        if let file = transfer.options.certificates { texts.append((CURLOPT_CAINFO, file)) }
        if let range = transfer.call.range {
            texts.append((CURLOPT_RANGE, "\(range.start)-" + (range.end.map { String($0 - 1) } ?? "")))
        }
        for (option, value) in texts { unsafe _ = baton_curl_set_text(easy, option, value) }
    }

    private static func method(_ easy: UnsafeMutableRawPointer, _ transfer: Transfer) {
        if transfer.method == .head {
            unsafe _ = baton_curl_set_number(easy, CURLOPT_NOBODY, 1)
        } else if let outgoing = transfer.outgoing {
            unsafe _ = baton_curl_set_number(easy, CURLOPT_UPLOAD, 1)
            // Without a length the body is sent in chunks.
            unsafe _ = baton_curl_set_size(easy, CURLOPT_INFILESIZE_LARGE, Int(outgoing.length ?? -1))
            unsafe _ = baton_curl_on_sending(easy, bodyWanted, Unmanaged.passUnretained(transfer).toOpaque())
        } else if transfer.sendsBody {
            unsafe _ = baton_curl_set_number(easy, CURLOPT_POST, 1)
            unsafe _ = baton_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, transfer.body.count)
            unsafe transfer.body.withUnsafeBytes { body in
                // An empty body has no address, and libcurl copies none of it.
                unsafe _ = baton_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, body.baseAddress ?? UnsafeRawPointer(easy))
            }
        }
        if transfer.method != .get, transfer.method != .head {
            unsafe _ = baton_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, transfer.method.rawValue)
        }
    }
}

/// Custom headers of a request as libcurl's list.
enum RequestLines {
    static func make(_ headers: [HTTPCall.Header], hasBody: Bool, isLong: Bool) -> UnsafeMutablePointer<curl_slist>? {
        // An empty value is written with a semicolon; a colon would remove the header.
        var texts = headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        if hasBody {
            // A server that does not support `Expect` costs a second, which is acceptable only for a long body. Without `Content-Type:`
            // libcurl would declare a form.
            if !isLong { texts.append("Expect:") }
            if !HeaderLines.has("content-type", in: headers) { texts.append("Content-Type:") }
        }
        var list: UnsafeMutablePointer<curl_slist>?
        for text in texts { unsafe list = baton_curl_slist_append(list, text) ?? list }
        return unsafe list
    }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private func headerCame(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = unsafe transfer(context), let bytes = unsafe bytes else { return 0 }
    let line = unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: size * count), as: UTF8.self)
    return transfer.took(headerLine: line, bytes: size * count) ? size * count : 0
}

private func bodyCame(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = unsafe transfer(context), let bytes = unsafe bytes else { return 0 }
    switch unsafe transfer.took(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) {
    case .taken: return size * count
    case .later: return baton_curl_pause
    case .tooMuch: return 0
    }
}

private func bodyWanted(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = unsafe transfer(context), let bytes = unsafe bytes else { return Int(CURL_READFUNC_ABORT) }
    switch unsafe transfer.give(to: UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) {
    case .bytes(let count): return count
    case .later: return Int(CURL_READFUNC_PAUSE)
    case .failed: return Int(CURL_READFUNC_ABORT)
    }
}

private func socketWanted(
    context: UnsafeMutableRawPointer?, purpose: curlsocktype, wanted: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let transfer = unsafe transfer(context), let wanted = unsafe wanted, transfer.allows(unsafe NetworkAddress(wanted)) else {
        return -1
    }
    let descriptor = unsafe socket(
        wanted.pointee.family, wanted.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), wanted.pointee.protocol)
    transfer.sockets?.opened(descriptor)
    return descriptor
}

private func connectionReady(
    context: UnsafeMutableRawPointer?, address: UnsafeMutablePointer<CChar>?, own: UnsafeMutablePointer<CChar>?,
    port: Int32, ownPort: Int32
) -> Int32 {
    guard let transfer = unsafe transfer(context), let address = unsafe address else { return CURL_PREREQFUNC_ABORT }
    let origin = unsafe NetworkAddress(text: String(cString: address))
    if let origin, let ownPort = UInt16(exactly: ownPort), let port = UInt16(exactly: port) {
        transfer.ends = OpenSockets.Ends(ownPort: ownPort, port: port, address: origin)
    }
    return transfer.allows(origin) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
