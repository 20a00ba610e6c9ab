import BatonSeams
import CWebSockets

/// Virtual hosts of libwebsockets for connections to other servers.
extension EventLoop {
    /// Connections with the same key share a virtual host. A proxy is part of the key, because libwebsockets asks the virtual
    /// host for it several times while a connection is made.
    struct OutgoingKey: Hashable {
        var tls: ObjectIdentifier?
        var proxy: String?
    }

    /// Kept as long as the loop, as libwebsockets keeps its pointers.
    @safe
    struct OutgoingHost {
        let vhost: OpaquePointer
        let tls: OutgoingTLS?
    }

    /// The virtual host for connections with these TLS settings, or without TLS, through an HTTP proxy as `address:port`, or
    /// directly. `nil` when libwebsockets makes none.
    package func outgoingVhost(_ tls: OutgoingTLS?, proxy: String?) -> OpaquePointer? {
        let key = OutgoingKey(tls: tls.map { ObjectIdentifier($0) }, proxy: proxy)
        if let made = outgoing[key] { return unsafe made.vhost }
        guard let vhost = unsafe engine.makeOutgoingVhost(named: "outgoing-\(outgoing.count)", tls, proxy: proxy) else { return nil }
        outgoing[key] = unsafe OutgoingHost(vhost: vhost, tls: tls)
        return unsafe vhost
    }
}
