package import BatonSeams
import CWebSockets
import Glibc

/// A socket address: IPv4, IPv6 or a path.
package struct Address: Sendable {
    private var storage = sockaddr_storage()
    private var length: socklen_t = 0

    package var family: Int32 { Int32(storage.ss_family) }

    /// A numeric address, or `localhost`.
    package init?(_ host: String, _ port: UInt16) {
        let host = host == "localhost" ? "127.0.0.1" : host
        var four = sockaddr_in()
        var six = sockaddr_in6()
        if unsafe inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            store(four)
        } else if unsafe inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            store(six)
        } else {
            return nil
        }
    }

    package init?(unix path: String) {
        var file = sockaddr_un()
        file.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: file.sun_path) - 1
        guard bytes.count <= room, !bytes.isEmpty else { return nil }
        unsafe withUnsafeMutableBytes(of: &file.sun_path) { unsafe $0.copyBytes(from: bytes) }
        store(file)
    }

    /// The address that a descriptor is bound to.
    package init?(of descriptor: Int32) {
        guard let found = unsafe Self.ask(descriptor, getsockname) else { return nil }
        self = found
    }

    private init() {}

    /// Copies an address of any kind from the system.
    init(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
        self.length = min(length, socklen_t(MemoryLayout<sockaddr_storage>.size))
        let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(self.length))
        unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyMemory(from: bytes) }
    }

    private mutating func store<Kind>(_ address: Kind) {
        length = socklen_t(MemoryLayout<Kind>.size)
        unsafe withUnsafeBytes(of: address) { bytes in
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyMemory(from: bytes) }
        }
    }

    private static func ask(
        _ descriptor: Int32, _ question: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> Address? {
        var address = Address()
        address.length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let failed = unsafe withUnsafeMutablePointer(to: &address.storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe question(descriptor, $0, &address.length) }
        }
        return failed == 0 ? address : nil
    }

    package func bind(_ descriptor: Int32) -> Int32 { unsafe with { unsafe Glibc.bind(descriptor, $0, $1) } }

    package func connect(_ descriptor: Int32) -> Int32 { unsafe with { unsafe Glibc.connect(descriptor, $0, $1) } }

    private func with(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        unsafe withUnsafePointer(to: storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }

    private func view<Kind>(as kind: Kind.Type) -> Kind {
        unsafe withUnsafeBytes(of: storage) { unsafe $0.load(as: kind) }
    }

    package var port: UInt16 {
        switch family {
        case AF_INET: view(as: sockaddr_in.self).sin_port.bigEndian
        case AF_INET6: view(as: sockaddr_in6.self).sin6_port.bigEndian
        default: 0
        }
    }

    /// The address in network byte order: four bytes, sixteen, or none for a path.
    package var bytes: [UInt8] {
        switch family {
        case AF_INET: unsafe withUnsafeBytes(of: view(as: sockaddr_in.self).sin_addr) { unsafe Array($0) }
        case AF_INET6: unsafe withUnsafeBytes(of: view(as: sockaddr_in6.self).sin6_addr) { unsafe Array($0) }
        default: []
        }
    }

    /// The address as text, without its port. An IPv4 address mapped into IPv6 is written as IPv4.
    package var host: String {
        var room = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch family {
        case AF_INET:
            var four = view(as: sockaddr_in.self).sin_addr
            unsafe inet_ntop(AF_INET, &four, &room, socklen_t(room.count))
        case AF_INET6:
            var six = view(as: sockaddr_in6.self).sin6_addr
            unsafe inet_ntop(AF_INET6, &six, &room, socklen_t(room.count))
        default: return "unix"
        }
        let text = String(decoding: room.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    }

    private var isLoopback: Bool {
        let host = host
        return host == "::1" || (host.hasPrefix("127.") && !host.contains(":"))
    }

    /// The peer of an accepted connection.
    package static func peer(of descriptor: Int32) -> Peer {
        guard let address = unsafe ask(descriptor, getpeername) else { return Peer(channel: .network, address: "unknown") }
        guard address.family == AF_UNIX else {
            return Peer(channel: address.isLoopback ? .loopback : .network, address: address.host)
        }
        var who = baton_peer_credentials()
        var size = socklen_t(MemoryLayout<baton_peer_credentials>.size)
        // Without the kernel's answer, a peer on a socket file is not trusted.
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 else {
            return Peer(channel: .network, address: "unix")
        }
        return Peer(channel: .unix(uid: who.uid, gid: who.gid), address: "unix")
    }
}

extension Address {
    /// The addresses of a name, in the order of the system's resolver, which blocks.
    package static func resolved(_ host: String, _ port: UInt16) -> [Address] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { unsafe freeaddrinfo(list) }
        var found: [Address] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe entry.pointee.ai_addr { unsafe found.append(Address(address, entry.pointee.ai_addrlen)) }
            unsafe next = entry.pointee.ai_next
        }
        return found
    }
}
