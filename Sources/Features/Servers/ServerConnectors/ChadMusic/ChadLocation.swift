/// Locations of files on a Chad Music server, and the server's own address.
import BatonCore

/// The location of a file.
enum ChadLocation: Equatable, Sendable {
    case own(ChadPath)
    /// A full URL, which stays only until it is used. `isOwn` if it leads to the account's server.
    case url(String, isOwn: Bool)

    var name: String {
        switch self {
        case .own(let path): path.name
        case .url(let url, _):
            url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.flatMap { PercentText.decoded($0) } ?? ""
        }
    }
}

/// `host:port` of a URL, with the host in lower case and an IPv6 address in brackets.
struct HostAndPort: Equatable, Sendable {
    var host: String
    var port: Int

    init?(_ authority: String, isSecure: Bool) {
        let authority = authority.lowercased()
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        let colon = authority[end...].lastIndex(of: ":")
        host = String(authority[..<(colon ?? authority.endIndex)])
        port = isSecure ? 443 : 80
        guard !host.isEmpty else { return nil }
        guard let colon else { return }
        guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else { return nil }
        port = Int(number)
    }
}
