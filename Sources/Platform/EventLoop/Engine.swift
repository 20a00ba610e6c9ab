import BatonSeams
import CLinux
import CWebSockets
import Glibc
import Synchronization

/// The C side of the loop: libev's loop, libwebsockets' context on it, one nested epoll for the descriptors of other modules, one timerfd,
/// and the eventfd by which other threads wake it.
///
/// The loop is foreign to libwebsockets, so leaving it is an `ev_break` and does not race with the library's own shutdown. Extensions stay
/// off: permessage-deflate is broken over TLS in 4.1.6. Pairs: everything created in `init` is released in `close`, in reverse order; the
/// nested epoll belongs to libwebsockets once it was adopted, and is freed with the context. Only the loop thread calls through its
/// pointers; it is Sendable because it is created before the loop has a thread.
@safe
package struct Engine: @unchecked Sendable {
    /// The name of the callback table for connections of our own to others.
    package static let clientTable = "baton.v1"
    /// Number of bytes that libwebsockets reads at once, and its buffer for each WebSocket connection.
    static let receiveBytes = 1_024

    let events: OpaquePointer
    package let context: OpaquePointer
    package let vhost: OpaquePointer
    /// The context for our own TLS connections to hubs. They compare the hub's key with a pinned one after the handshake; no authority
    /// certifies a hub.
    package let tlsClient: OpaquePointer?
    /// Whether TLS connections are supported.
    package let hasTLS: Bool
    let epoll: Int32
    let timer: Int32

    /// Written by any thread. It lives as long as the process, so that a late write is harmless.
    static let wakeEvent = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    static func ring() {
        var one: UInt64 = 1
        unsafe write(wakeEvent, &one, 8)
    }

    init(log: Log, hasTLS: Bool) throws(SocketsError) {
        precondition(Frame.headroom >= baton_lws_headroom, "Frames have too little headroom for libwebsockets.")
        Self.say.withLock { $0 = log }
        unsafe lws_set_log_level(Int32(LLL_ERR | LLL_WARN), lwsSaid)
        guard let events = unsafe ev_loop_new(baton_ev_flags) else {
            throw SocketsError(.loopUnavailable, "The event loop could not start: the system gives no epoll descriptor.", cause: errno)
        }
        guard let context = unsafe Self.makeContext(on: events, hasTLS: hasTLS) else {
            unsafe ev_loop_destroy(events)
            throw SocketsError(
                .loopUnavailable,
                "The event loop could not start: libwebsockets' libev plug-in is missing or does not fit; install the package libwebsockets-evlib-ev."
            )
        }
        guard let vhost = unsafe lws_get_vhost_by_name(context, "baton") else {
            preconditionFailure("libwebsockets lost the virtual host it was made with.")
        }
        unsafe self.events = events
        unsafe self.context = context
        unsafe self.vhost = vhost
        self.hasTLS = hasTLS
        unsafe tlsClient = hasTLS ? Self.freshTLS.client : nil
        if let tlsClient = unsafe tlsClient { unsafe TLS.tighten(tlsClient) }
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    }

    private static func makeContext(on events: OpaquePointer, hasTLS: Bool) -> OpaquePointer? {
        var info = unsafe lws_context_creation_info()
        unsafe describe(&info, named: "baton")
        if !hasTLS { unsafe info.options &= ~UInt64(LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT) }
        unsafe info.port = CONTEXT_PORT_NO_LISTEN
        var loop: UnsafeMutableRawPointer? = unsafe UnsafeMutableRawPointer(events)
        return unsafe withUnsafeMutablePointer(to: &loop) { loops in
            unsafe info.foreign_loops = loops
            return unsafe lws_create_context(&info)
        }
    }

    private static let options = UInt64(
        LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME
            | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT)

    /// Settings that the plain and the encrypted host share.
    private static func describe(_ info: inout lws_context_creation_info, named name: String) {
        unsafe info.vhost_name = UnsafePointer(strdup(name))
        unsafe info.protocols = UnsafePointer(protocols)
        unsafe info.gid = -1
        unsafe info.uid = -1
        unsafe info.options = options
        // Our own deadlines come first; this one applies if they fail.
        unsafe info.timeout_secs = 60
        unsafe info.keepalive_timeout = 30
        unsafe info.alpn = UnsafePointer(strdup("http/1.1"))
        // An empty policy: the server checks liveness itself, with one shared tick. The library would insert one timer for each connection
        // into a sorted list.
        unsafe info.retry_and_idle_policy = UnsafePointer(noPolicy)
    }

    // MARK: TLS

    /// A host for TLS connections, and its context, which has no certificate yet.
    func makeSecureVhost() throws(SocketsError) -> (vhost: OpaquePointer, context: OpaquePointer) {
        var info = unsafe lws_context_creation_info()
        unsafe Self.describe(&info, named: "baton-tls")
        // It does not listen, but is a server.
        unsafe info.port = CONTEXT_PORT_NO_LISTEN_SERVER
        unsafe info.options |= UInt64(LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX)
        guard let vhost = unsafe lws_create_vhost(context, &info), let made = unsafe Self.freshTLS.server else {
            throw SocketsError(.failed, "TLS could not start: libwebsockets on this machine has none.")
        }
        unsafe TLS.tighten(made)
        return unsafe (vhost, made)
    }

    /// A host for connections to other servers.
    func makeOutgoingVhost(named name: String, _ tls: OutgoingTLS?, proxy: String?) -> OpaquePointer? {
        var info = unsafe lws_context_creation_info()
        unsafe Self.describe(&info, named: name)
        unsafe info.port = CONTEXT_PORT_NO_LISTEN
        // Without an address, libwebsockets would use the environment's proxy for all connections, ignoring exceptions.
        unsafe info.http_proxy_address = UnsafePointer(strdup(proxy ?? "-:0"))
        if let tls { unsafe info.provided_client_ssl_ctx = tls.context }
        return unsafe lws_create_vhost(context, &info)
    }

    /// The TLS contexts that libwebsockets created last; it passes them on in a callback only.
    fileprivate nonisolated(unsafe) static var freshTLS: (server: OpaquePointer?, client: OpaquePointer?) = (nil, nil)

    /// Both live as long as the process, since libwebsockets stores pointers to them.
    private nonisolated(unsafe) static let protocols: UnsafeMutablePointer<lws_protocols> = {
        let table = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 3)
        unsafe table.initialize(repeating: lws_protocols(), count: 3)
        for (index, name) in ["http", clientTable].enumerated() {
            unsafe table[index].name = UnsafePointer(strdup(name))
            unsafe table[index].callback = lwsCalled
            unsafe table[index].rx_buffer_size = receiveBytes
            // Frames are sent in one piece, whatever their length.
            unsafe table[index].tx_packet_size = 1 << 20
        }
        return unsafe table
    }()

    private nonisolated(unsafe) static let noPolicy: UnsafeMutablePointer<lws_retry_bo_t> = {
        let policy = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
        unsafe policy.initialize(to: lws_retry_bo_t())
        return unsafe policy
    }()

    func close() {
        unsafe lws_context_destroy(context)
        unsafe ev_loop_destroy(events)
        Glibc.close(timer)
    }

    /// The log for messages of libwebsockets, which has one log function for each process.
    static let say = Mutex<Log>(.silent)
}

/// Errors of libwebsockets are nearly always caused by a peer, so they are logged as warnings.
private func lwsSaid(_ level: Int32, _ line: UnsafePointer<CChar>?) {
    guard let line = unsafe line else { return }
    var text = unsafe String(cString: line)
    while text.hasSuffix("\n") { text.removeLast() }
    let log = Engine.say.withLock { $0 }
    log(level == LLL_ERR ? .warning : .debug, "libwebsockets: \(text)")
}

/// Receives every callback of libwebsockets, on the loop thread. Reasons without a `SocketEvent` return before anything is accessed,
/// because some come before the loop has a thread.
private func lwsCalled(
    wsi: OpaquePointer?, reason: lws_callback_reasons, user: UnsafeMutableRawPointer?, bytes: UnsafeMutableRawPointer?, count: Int
) -> Int32 {
    switch reason {
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS: unsafe Engine.freshTLS.server = OpaquePointer(user)
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS: unsafe Engine.freshTLS.client = OpaquePointer(user)
    default: break
    }
    guard let event = SocketEvent(reason), let opaque = unsafe lws_get_opaque_user_data(wsi) else { return 0 }
    let socket = unsafe Unmanaged<Socket>.fromOpaque(opaque).takeUnretainedValue()
    // The bytes do not leave this thread: it is the loop's, and the call returns before they are freed.
    nonisolated(unsafe) let piece = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
    return Loop.assumeIsolated { unsafe EventLoop.current?.deliver(event, to: socket, piece) ?? 0 }
}
