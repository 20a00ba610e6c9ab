import BatonSeams
import Glibc

/// The addresses of this machine's own interfaces, asked anew each time, since they come and go.
enum OwnAddresses {
    /// Calls to loopback are known without asking.
    static func contain(_ address: NetworkAddress) -> Bool {
        if address.reach == .thisMachine { return true }
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return false }
        defer { unsafe freeifaddrs(list) }
        var next = unsafe list
        while let one = unsafe next {
            if let own = unsafe one.pointee.ifa_addr, unsafe NetworkAddress(own) == address { return true }
            unsafe next = unsafe one.pointee.ifa_next
        }
        return false
    }
}

extension NetworkAddress {
    /// `nil` for a family that is neither IPv4 nor IPv6.
    fileprivate init?(_ own: UnsafePointer<sockaddr>) {
        let start = unsafe UnsafeRawPointer(own)
        switch Int32(unsafe own.pointee.sa_family) {
        case AF_INET:
            let field = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr)!  // A stored field of C.
            self.init(unsafe [UInt8](UnsafeRawBufferPointer(start: start + field, count: 4)))
        case AF_INET6:
            let field = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)!  // A stored field of C.
            self.init(unsafe [UInt8](UnsafeRawBufferPointer(start: start + field, count: 16)))
        default: return nil
        }
    }
}
