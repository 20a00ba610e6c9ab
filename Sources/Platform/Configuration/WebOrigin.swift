/// The origin of a web page as browsers write it in `Origin`, so that texts can be compared: in lower case, without the default port, and
/// with nothing behind the host.
struct WebOrigin: Equatable, Sendable {
    let text: String

    private static let usualPorts = ["http://": ":80", "https://": ":443"]

    /// `nil` if the text is not an origin. `*` and `null` would allow every page and are refused.
    init?(text: String) {
        let lower = text.lowercased()
        guard let (scheme, usual) = Self.usualPorts.first(where: { lower.hasPrefix($0.key) }) else { return nil }
        var place = lower.dropFirst(scheme.utf8.count)
        if place.hasSuffix(usual) { place.removeLast(usual.utf8.count) }
        guard let address = ListenAddress(text: place.contains(":") && !place.hasSuffix("]") ? String(place) : "\(place):1"),
            address.port > 0, place.utf8.allSatisfy(Self.isHostByte)
        else { return nil }
        self.text = scheme + place
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._:[]".utf8.contains(byte)
        }
    }
}
