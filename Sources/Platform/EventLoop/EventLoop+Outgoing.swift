import BatonSeams
import CWebSockets

/// Virtual hosts of libwebsockets for connections to other servers.
extension EventLoop {
    /// The key of a virtual host, which several connections share. A proxy is part of the key, because libwebsockets reads it from the
    /// virtual host several times while a connection is made.
    struct OutgoingKey: Hashable {
        var tls: ObjectIdentifier?
        var proxy: String?
    }

    /// Kept as long as the loop, because libwebsockets stores pointers to it.
    @safe
    struct OutgoingHost {
        let vhost: OpaquePointer
        let tls: OutgoingTLS?
    }

    /// The virtual host for connections with these TLS settings, or without TLS; `proxy` is an HTTP proxy as `address:port`, if any. `nil`
    /// if libwebsockets cannot create one.
    package func outgoingVhost(_ tls: OutgoingTLS?, proxy: String?) -> OpaquePointer? {
        let key = OutgoingKey(tls: tls.map { ObjectIdentifier($0) }, proxy: proxy)
        if let made = outgoing[key] { return unsafe made.vhost }
        guard let vhost = unsafe engine.makeOutgoingVhost(named: "outgoing-\(outgoing.count)", tls, proxy: proxy) else { return nil }
        outgoing[key] = unsafe OutgoingHost(vhost: vhost, tls: tls)
        return unsafe vhost
    }
}
