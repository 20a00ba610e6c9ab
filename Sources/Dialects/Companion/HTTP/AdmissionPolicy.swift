package import BatonProtocol
package import BatonSeams

/// Access that the owner grants beyond the hub's own machine and its paired devices.
package struct AdmissionPolicy: Sendable {
    /// Role of unencrypted connections from other machines; `nil` refuses them.
    package var lanPlain: Role?
    /// Web pages on other origins that may connect. Their hosts also count as names of this hub, since a proxy in front of it has one.
    package let origins: AllowedOrigins
    /// Names of this machine, for `Host`.
    package var hostNames: [String]
    /// The hub's root certificate, in DER; empty if it offers none.
    package var root: [UInt8]
    /// Current addresses of this machine.
    private let addresses: @Loop () -> [String]

    package init(
        lanPlain: Role? = nil, origins: [String] = [], hostNames: [String] = [], root: [UInt8] = [],
        addresses: @escaping @Loop () -> [String] = { [] }
    ) {
        self.lanPlain = lanPlain
        self.origins = AllowedOrigins(origins)
        self.hostNames = hostNames
        self.root = root
        self.addresses = addresses
    }
}

extension AdmissionPolicy {
    /// The `Host` of a request, if it names this machine.
    @Loop
    func ownAuthority(_ request: HTTPRequest) -> String? {
        guard let named = request.headers["host"], let host = Authority(named) else { return nil }
        let isOwn = host.isLoopback || (host.isAddress ? addresses().contains(host.host) : hostNames.contains(host.host))
        return isOwn || origins.hosts.contains(host.host) ? named : nil
    }
}

/// Origins that the owner allows. They can change while the hub runs.
@Loop
package final class AllowedOrigins {
    package var all: [String] { didSet { hosts = Self.hosts(of: all) } }
    private(set) var hosts: Set<String>

    package nonisolated init(_ all: [String]) {
        self.all = all
        hosts = Self.hosts(of: all)
    }

    private nonisolated static func hosts(of origins: [String]) -> Set<String> {
        Set(origins.compactMap { Authority(String($0.drop { $0 != ":" }.drop { $0 == ":" || $0 == "/" }))?.host })
    }
}
