package import BatonSeams
import CLinux
import CWebSockets  // In the static build, socket types come from its headers, since both include the same one.
import Glibc

/// The addresses of this machine, and a call when they change.
///
/// The kernel reports changes on a netlink socket. The reports are not parsed, since listing the addresses again is
/// simpler. Changes come in bursts, so the call comes half a second after the first.
@Loop
package final class Interfaces {
    private let reactor: any Reactor
    private let descriptor: Int32
    private let changed: @Loop () -> Void
    private var watch: (any Watch)?
    private var alarm: (any Alarm)?

    private static let quiet: Duration = .milliseconds(500)

    package init(_ reactor: any Reactor, changed: @escaping @Loop () -> Void) {
        self.reactor = reactor
        self.changed = changed
        descriptor = socket(
            AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), NETLINK_ROUTE)
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR)
        let isBound = unsafe withUnsafePointer(to: address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size)) == 0
            }
        }
        // Without reports from the kernel, the addresses found at the start are used.
        guard descriptor >= 0, isBound else { return }
        watch = reactor.watch(descriptor, for: .readable) { [weak self] _ in self?.drain() }
    }

    private func drain() {
        var room = [UInt8](repeating: 0, count: 8_192)
        while unsafe recv(descriptor, &room, room.count, 0) > 0 {}
        guard alarm == nil else { return }
        alarm = reactor.after(Self.quiet) { [weak self] in
            self?.alarm = nil
            self?.changed()
        }
    }

    package func close() {
        watch?.cancel()
        alarm?.cancel()
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Every address, loopback last, without zones.
    package static func addresses() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var found: [String] = []
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            guard let address = unsafe entry.pointee.ifa_addr else { continue }
            let size: Int
            switch unsafe Int32(address.pointee.sa_family) {
            case AF_INET: size = MemoryLayout<sockaddr_in>.size
            case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
            default: continue
            }
            let host = unsafe Address(address, socklen_t(size)).host
            if !found.contains(host) { found.append(host) }
        }
        let isLoopback = { (host: String) in host == "::1" || host.hasPrefix("127.") }
        return found.filter { !isLoopback($0) } + found.filter(isLoopback)
    }
}
