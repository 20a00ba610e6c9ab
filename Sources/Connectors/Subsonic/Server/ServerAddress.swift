/// Where an account's server is: the URL that the owner typed, taken apart and checked.
import BatonCore
import BatonSeams

struct ServerAddress: Equatable, Sendable {
    /// With the path below which the server answers, without a slash at its end.
    let base: String
    /// In lower case; an IPv6 address in brackets.
    let host: String
    let port: Int

    init(_ text: String) throws(SourceFault) {
        let refused = SourceFault(
            .badRequest, "The address of a server is http:// or https://, its host and, where needed, a port and a path.")
        guard let address = WebAddress(text), let scheme = WebAddress.scheme(of: address.text) else { throw refused }
        guard !address.text.utf8.contains(where: { "?#@\\".utf8.contains($0) }) else { throw refused }
        let authority = address.text.dropFirst(scheme.count).prefix { $0 != "/" }
        let hostEnd = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
        let name = authority[..<(hostEnd ?? authority.endIndex)]
        let rest = authority[name.endIndex...]
        guard !name.isEmpty, rest.isEmpty || rest.hasPrefix(":") else { throw refused }
        if rest.isEmpty {
            port = scheme == "https://" ? 443 : 80
        } else {
            guard let number = Int(rest.dropFirst()), 1...65_535 ~= number else { throw refused }
            port = number
        }
        host = name.lowercased()
        var base = address.text
        while base.hasSuffix("/") { base.removeLast() }
        // People copy the address of the interface itself.
        if base.hasSuffix("/rest") { base.removeLast("/rest".count) }
        self.base = base
    }

    var policy: AddressPolicy { .server(host, port: port) }
}
