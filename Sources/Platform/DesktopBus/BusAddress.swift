import BatonCore

/// The address of the session bus, as the environment of a desktop's programs names it.
enum BusAddress {
    /// The first address with a socket of this machine. Others are left out: a name in a `tcp:` address would have to be looked up, which
    /// may take seconds, and `unixexec:` starts a program.
    static func usable(in addresses: String) -> String? {
        addresses.split(separator: ";").first { $0.hasPrefix("unix:") }.map(String.init)
    }

    /// The file of the socket; `nil` for a socket without one.
    static func socket(in address: String) -> String? {
        for part in address.dropFirst("unix:".count).split(separator: ",") where part.hasPrefix("path=") {
            return PercentText.decoded(part.dropFirst("path=".count))
        }
        return nil
    }

    /// The socket that systemd opens for a user without naming it.
    static func usual(in environment: [String: String]) -> String? {
        if let named = environment["DBUS_SESSION_BUS_ADDRESS"], !named.isEmpty { return usable(in: named) }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
        return "unix:path=" + escaped(folder + "/bus")
    }

    /// A path as a value of an address: other characters are escaped by the number of their bytes.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"), UInt8(ascii: "."):
                String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }.joined()
    }
}
