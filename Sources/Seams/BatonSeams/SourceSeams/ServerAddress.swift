/// The address of an account's server: the URL that the owner typed, parsed and checked.
import BatonCore

package struct ServerAddress: Equatable, Sendable {
    /// The URL with the base path of the server, without a slash at its end.
    package let base: String
    /// The host in lower case; an IPv6 address in brackets.
    package let host: String
    /// The port that the URL names, or that of its scheme.
    package let port: Int

    /// Parses the URL. People often copy the address of the web interface; its additional `ending` is removed.
    package init(_ text: String, without ending: String = "") throws(SourceFault) {
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
        if !ending.isEmpty, base.hasSuffix(ending) { base.removeLast(ending.count) }
        self.base = base
    }

    /// The rule that lets calls reach this server at whatever address it has.
    package var policy: AddressPolicy { .server(host, port: port) }

    /// A WebSocket URL of the same server.
    package func webSocket(_ path: String) -> String {
        "\(base.hasPrefix("https") ? "wss" : "ws")\(base.drop { $0 != ":" })\(path)"
    }
}
