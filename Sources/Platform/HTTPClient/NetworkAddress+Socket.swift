import BatonSeams
import CCurl
import Glibc

/// Addresses as the system hands them out.
extension NetworkAddress {
    /// `nil` for a family that is neither IPv4 nor IPv6.
    init?(_ wanted: UnsafePointer<curl_sockaddr>) {
        // `addr` is the beginning of a structure as long as its family needs.
        let start = unsafe UnsafeRawPointer(wanted) + MemoryLayout<curl_sockaddr>.offset(of: \.addr)!  // A stored field of C.
        unsafe self.init(family: wanted.pointee.family, at: start)
    }

    /// The address in a `sockaddr` of this family, which begins there; `nil` for a family that is neither IPv4 nor IPv6.
    init?(family: Int32, at start: UnsafeRawPointer) {
        switch family {
        case AF_INET:
            let field = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr)!  // A stored field of C.
            self.init(unsafe [UInt8](UnsafeRawBufferPointer(start: start + field, count: 4)))
        case AF_INET6:
            let field = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)!  // A stored field of C.
            self.init(unsafe [UInt8](UnsafeRawBufferPointer(start: start + field, count: 16)))
        default: return nil
        }
    }

    /// As it is written, an IPv6 address with or without brackets.
    init?(text: String) {
        self.init(bare: String(text.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }))
    }
}
