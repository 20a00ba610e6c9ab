import BatonSeams
import CAvahi

/// One hub as seen on one link and protocol, and the resolver for its host, port, text and address.
///
/// A hub that is seen over IPv4 and IPv6 has two sightings, and each resolves the address of its own kind: a resolver yields one address,
/// and daemons answer for IPv4 addresses over IPv4 only. The resolver lives as long as the sighting, because it also reports changes. It is
/// created and freed in the browser's turn, never inside a callback, so a callback always finds its sighting alive.
@safe @Loop
final class Sighting {
    /// The link and IP version of a sighting, with the service's name and domain.
    struct Key: Hashable, Comparable, Sendable {
        let interface: AvahiIfIndex
        let family: AvahiProtocol
        let name: String
        let domain: String

        init?(interface: AvahiIfIndex, family: AvahiProtocol, name: UnsafePointer<CChar>?, domain: UnsafePointer<CChar>?) {
            guard let name = unsafe name, let domain = unsafe domain else { return nil }
            self.interface = interface
            self.family = family
            self.name = unsafe String(cString: name)
            self.domain = unsafe String(cString: domain)
        }

        static func < (a: Key, b: Key) -> Bool { (a.interface, a.family, a.name, a.domain) < (b.interface, b.family, b.name, b.domain) }
    }

    struct Resolution: Sendable {
        let host: String
        let port: UInt16
        let txt: [[UInt8]]
        let address: HubAddress
    }

    let key: Key
    private(set) var resolution: Resolution?
    private var resolver: OpaquePointer?
    private var attempts = 0
    private weak var browser: Browser?

    /// Number of attempts for a hub that does not answer; each takes some seconds. The last resolver stays, because Avahi goes on asking
    /// after it has reported a timeout, and tells of an answer that comes late.
    private static let mostAttempts = 3

    init(at key: Key, for browser: Browser) {
        self.key = key
        self.browser = browser
    }

    func resolve(with client: OpaquePointer?) {
        guard let client = unsafe client, unsafe resolver == nil, attempts < Self.mostAttempts else { return }
        attempts += 1
        unsafe resolver = baton_avahi_service_resolver_new(
            client, key.interface, key.family, key.name, HubRecord.serviceType, key.domain, key.family, AvahiLookupFlags(0),
            { _, interface, _, _, _, _, _, host, address, port, txt, _, sighting in
                let resolution = unsafe Resolution(interface: interface, host: host, address: address, port: port, txt: txt)
                nonisolated(unsafe) let sighting = unsafe given(sighting)
                Loop.assumeIsolated { unsafe Unmanaged<Sighting>.fromOpaque(sighting).takeUnretainedValue().heard(resolution) }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func heard(_ resolution: Resolution?) { browser?.note(.resolved(self, resolution)) }

    /// Takes the resolver's result. A hub that did not answer is resolved again, at most `mostAttempts` times.
    func resolved(_ resolution: Resolution?, by client: OpaquePointer?) {
        self.resolution = resolution
        guard resolution == nil, attempts < Self.mostAttempts else { return }
        end()
        unsafe resolve(with: client)
    }

    func end() {
        if let resolver = unsafe resolver { unsafe baton_avahi_service_resolver_free(resolver) }
        unsafe resolver = nil
    }

    /// One record for all sightings of a hub; nil while none is resolved.
    static func record(of sightings: [Sighting]) -> HubRecord? {
        let resolved = sightings.filter { $0.resolution != nil }.sorted { $0.key < $1.key }
        guard let first = resolved.first, let resolution = first.resolution else { return nil }
        let addresses = Set(resolved.compactMap { $0.resolution?.address }).sorted()
        return HubRecord(
            name: first.key.name, port: resolution.port, txt: resolution.txt, host: resolution.host, addresses: addresses)
    }
}

extension Sighting.Resolution {
    /// Nil without an address, which means that the resolver gave up.
    init?(
        interface: AvahiIfIndex, host: UnsafePointer<CChar>?, address: UnsafePointer<AvahiAddress>?, port: UInt16,
        txt: UnsafeMutablePointer<AvahiStringList>?
    ) {
        guard let host = unsafe host, let address = unsafe address else { return nil }
        unsafe self.init(
            host: String(cString: host), port: port, txt: AvahiStrings.strings(in: txt),
            address: HubAddress(AvahiStrings.text(of: address), foundOn: UInt32(max(0, interface))))
    }
}
