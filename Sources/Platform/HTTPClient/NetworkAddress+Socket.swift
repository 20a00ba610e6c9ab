import BatonSeams
import CCurl
import Glibc

/// Conversions from the system's address structures.
extension NetworkAddress {
    /// `nil` for a family that is neither IPv4 nor IPv6.
    init?(_ wanted: UnsafePointer<curl_sockaddr>) {
        // `addr` is the start of a structure whose length depends on the family.
        let start = unsafe UnsafeRawPointer(wanted) + MemoryLayout<curl_sockaddr>.offset(of: \.addr)!  // A stored field of C.
        unsafe self.init(family: wanted.pointee.family, at: start)
    }

    /// The address in a `sockaddr` at `start`; `nil` for a family that is neither IPv4 nor IPv6.
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

    /// Parses an address; an IPv6 address may have brackets.
    init?(text: String) {
        self.init(bare: String(text.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }))
    }
}
