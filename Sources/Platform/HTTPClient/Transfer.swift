import BatonSeams
import CCurl
import Glibc

/// One call as libcurl runs it, redirect after redirect: the request, the response so far, and the deadlines.
///
/// It is `Sendable` because it belongs to libcurl's thread alone once it was created. libcurl holds a bare pointer to it as long as `easy`
/// lives; `Transfers` retains the object for longer than that.
@safe final class Transfer: @unchecked Sendable {
    let call: HTTPCall
    let options: HTTPClient.Options
    let exchange: Exchange
    private(set) var url: URLParts
    private(set) var method: HTTPCall.Method
    private(set) var headers: [HTTPCall.Header]
    private(set) var body: [UInt8]
    /// The body that is read while it is sent; it replaces `body`.
    private(set) var outgoing: OutgoingBody?
    private var hops = 0
    /// The permanent address of the file: the end of the permanent redirects, up to the first temporary one.
    private(set) var movedTo: String?
    private var isMoving = true
    /// The server of the last request, and the server that redirected to the next one.
    private var reached: NetworkAddress?
    private var redirecting: NetworkAddress?

    private(set) var easy: UnsafeMutableRawPointer?
    /// Sockets of libcurl's thread, and the ends of the connection that this transfer uses.
    var sockets: OpenSockets?
    var ends: OpenSockets.Ends?
    private var lines: UnsafeMutablePointer<curl_slist>?
    /// Beginnings of responses that are accepted as HTTP.
    private var beginnings: UnsafeMutablePointer<curl_slist>?

    var head = AnswerHead()
    var received: Int64 = 0
    /// True for a redirect, whose body is ignored.
    var isRedirect = false
    /// True while the reader was not told of received bytes.
    var hasNews = false
    /// The reason why a callback ended the transfer; libcurl reports only that one did.
    var fault: HTTPCallFault?
    /// True if the policy refused an address. Other addresses of the same server may still be allowed.
    private var wasRefused = false
    private let headByNs: Int64
    private let endByNs: Int64?

    init(
        _ call: HTTPCall, to url: URLParts, for exchange: Exchange, sending outgoing: OutgoingBody?, options: HTTPClient.Options
    ) throws(HTTPCallFault) {
        self.call = call
        self.options = options
        self.exchange = exchange
        self.url = url
        method = call.method
        headers = call.headers
        body = call.body
        self.outgoing = outgoing
        let now = Clock.system.nowUs.count * 1_000
        headByNs = now + call.limits.head.nanoseconds
        endByNs = call.limits.total.map { now + $0.nanoseconds }
    }

    /// The proxy for the next request. With a proxy, addresses are its concern.
    var proxy: String? { options.proxies.proxy(scheme: url.scheme, host: url.host) }

    // MARK: Lifecycle

    /// A handle for the next request.
    func open() throws(HTTPCallFault) -> UnsafeMutableRawPointer {
        try checkProxied()
        guard let easy = unsafe baton_curl_easy_init() else { throw HTTPCallFault(.unavailable, "There is no memory for a call.") }
        unsafe self.easy = unsafe easy
        head = AnswerHead()
        isRedirect = false
        ends = nil
        fault = nil
        wasRefused = false
        let asked = headers + (call.isRadio ? [HTTPCall.Header("Icy-MetaData", "1")] : [])
        unsafe lines = RequestLines.make(asked, hasBody: sendsBody, isLong: outgoing != nil)
        unsafe beginnings = call.isRadio ? baton_curl_slist_append(nil, AnswerHead.radio) : nil
        unsafe TransferOptions.set(on: easy, for: self, lines: lines, beginnings: beginnings)
        return unsafe easy
    }

    func close() {
        if let easy = unsafe easy { unsafe baton_curl_easy_cleanup(easy) }
        if let lines = unsafe lines { unsafe baton_curl_slist_free_all(lines) }
        if let beginnings = unsafe beginnings { unsafe baton_curl_slist_free_all(beginnings) }
        unsafe easy = nil
        unsafe lines = nil
        unsafe beginnings = nil
    }

    /// Continues after the reader has made room. libcurl delivers the bytes that it held inside this call.
    func resume() {
        if let easy = unsafe easy { unsafe _ = baton_curl_easy_pause(easy, CURLPAUSE_CONT) }
    }

    var sendsBody: Bool { !body.isEmpty || outgoing != nil || method == .post || method == .put || method == .patch }

    /// The result of a request: `nil` at the end of the response, or the redirect to follow.
    func finished(_ code: CURLcode) throws(HTTPCallFault) -> Redirect? {
        if let location = head.redirect {
            guard hops < call.limits.redirects else {
                throw HTTPCallFault(
                    .tooManyRedirects, "\(url.origin) redirects further than the \(call.limits.redirects) times that are followed.")
            }
            let hasBody = !body.isEmpty || outgoing != nil
            let redirect = try Redirect(status: head.status, location: location, method: method, hasBody: hasBody, from: url)
            guard !redirect.keepsBody || outgoing?.isTouched != true else {
                throw HTTPCallFault(.refused, "\(url.origin) wants the file sent once more, to another address of its own.")
            }
            return redirect
        }
        if let fault { throw fault }
        if wasRefused, code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK { throw refusal }
        guard code == CURLE_OK else { throw .init(code, url) }
        guard head.isComplete else { throw HTTPCallFault(.badAnswer, "\(url.origin) did not answer as an HTTP server does.") }
        return nil
    }

    func follow(_ redirect: Redirect) {
        hops += 1
        redirecting = reached
        reached = nil
        url = redirect.url
        isMoving = isMoving && redirect.isForGood
        if isMoving { movedTo = url.text }
        method = redirect.method
        if !redirect.keepsHeaders { headers = [] }
        if !redirect.keepsBody {
            body = []
            outgoing = nil
        }
    }

    // MARK: Time

    /// The next deadline.
    var dueNs: Int64? { [head.isDelivered ? nil : headByNs, endByNs].compactMap { $0 }.min() }

    func lateness(atNs now: Int64) -> HTTPCallFault? {
        guard let dueNs, now >= dueNs else { return nil }
        return HTTPCallFault(.timedOut, "\(url.origin) takes too long to answer.")
    }

    // MARK: Addresses

    /// Called for each address before a connection is opened, and again before a request reuses one.
    func allows(_ address: NetworkAddress?) -> Bool {
        if proxy != nil { return true }
        guard let address, isAllowed(address) else {
            wasRefused = true
            return false
        }
        reached = address
        return true
    }

    private func isAllowed(_ address: NetworkAddress) -> Bool {
        let target = CallTarget(
            host: url.host, port: url.port, address: address, isOwn: OwnAddresses.contain(address),
            way: hops == 0 ? .named : .redirected(by: redirecting))
        return options.allowed.contains { $0.matches(target) } || call.policy.allows(target)
    }

    /// A proxy resolves names itself, so only addresses in the URL and this machine's own name are checked here.
    private func checkProxied() throws(HTTPCallFault) {
        guard proxy != nil else { return }
        let isOwn = url.host == "localhost" || url.host.hasSuffix(".localhost")
        guard let address = isOwn ? NetworkAddress([127, 0, 0, 1]) : NetworkAddress(text: url.host) else { return }
        guard isAllowed(address) else { throw refusal }
        reached = address
    }

    private var refusal: HTTPCallFault {
        HTTPCallFault(
            .refused,
            "\(url.origin) leads to an address of this machine or of a private network, which may not be called from here. Its owner can allow it by allow_host."
        )
    }
}

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }

    var milliseconds: Int { Int(nanoseconds / 1_000_000) }
}
