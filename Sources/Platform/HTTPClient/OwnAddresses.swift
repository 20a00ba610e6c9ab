import BatonSeams
import Glibc

/// The addresses of this machine's interfaces, read each time because they change.
enum OwnAddresses {
    /// Loopback is recognised without a system call.
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
