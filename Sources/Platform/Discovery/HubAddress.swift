/// One address of a hub, ordered by the likelihood that a connection works.
///
/// Avahi reports addresses link by link, so each was announced on a link that this machine shares. IPv4 comes first: it needs no zone, and
/// every hub listens on it.
package struct HubAddress: Hashable, Sendable, Comparable {
    /// The address alone: `10.0.0.7`, `fe80::1`.
    package let text: String
    /// The interface on which it was found; 0 if the address is sufficient.
    package let interface: UInt32

    package init(_ text: String, foundOn interface: UInt32) {
        self.text = text
        self.interface = Kind(of: text) == .linkLocal6 ? interface : 0
    }

    /// The form for `getaddrinfo`: a link-local IPv6 address includes its interface.
    package var host: String { interface == 0 ? text : "\(text)%\(interface)" }

    /// The form for URLs, in which the percent sign of the zone is escaped.
    package var urlHost: String {
        guard text.contains(":") else { return text }
        return interface == 0 ? "[\(text)]" : "[\(text)%25\(interface)]"
    }

    package static func < (a: HubAddress, b: HubAddress) -> Bool {
        (Kind(of: a.text).rawValue, a.interface, a.text) < (Kind(of: b.text).rawValue, b.interface, b.text)
    }

    /// Kinds in order of preference. Loopback is last, because it is right only for a hub on this machine.
    private enum Kind: Int {
        case ordinary4, linkLocal4, ordinary6, linkLocal6, loopback

        init(of text: String) {
            let text = text.lowercased()
            self =
                if text.contains(":") {
                    text == "::1" ? .loopback : ["fe8", "fe9", "fea", "feb"].contains(text.prefix(3)) ? .linkLocal6 : .ordinary6
                } else {
                    text.hasPrefix("127.") ? .loopback : text.hasPrefix("169.254.") ? .linkLocal4 : .ordinary4
                }
        }
    }
}
