/// Where the files of a Chad Music server are, and the address of the server itself.
import BatonCore

/// Where a file is.
enum ChadPlace: Equatable, Sendable {
    case own(ChadPath)
    /// A whole URL, known only until it was used; `isOwn` when it leads to the account's server.
    case url(String, isOwn: Bool)

    var name: String {
        switch self {
        case .own(let path): path.name
        case .url(let url, _):
            url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.flatMap { PercentText.decoded($0) } ?? ""
        }
    }
}

/// `host:port` of a URL; the host in lower case, an IPv6 address in its brackets.
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
