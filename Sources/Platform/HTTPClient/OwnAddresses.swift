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
            if let own = unsafe one.pointee.ifa_addr,
                unsafe NetworkAddress(family: Int32(own.pointee.sa_family), at: own) == address
            {
                return true
            }
            unsafe next = unsafe one.pointee.ifa_next
        }
        return false
    }
}
