/// Resolves relative addresses in a playlist.
import BatonCore

extension WebAddress {
    /// Resolves a reference in the file at this address (RFC 3986, section 5); `nil` if the result is no http or
    /// https address.
    func resolving(_ reference: String) -> WebAddress? {
        let reference = reference.prefix { $0 != "#" }
        if WebAddress.scheme(of: String(reference)) != nil { return WebAddress(String(reference)) }
        // An absolute address. A colon after a slash is part of a path.
        if let colon = reference.firstIndex(of: ":"), !reference[..<colon].contains(where: { "/?".contains($0) }) { return nil }
        let base = text.prefix { $0 != "#" }
        guard let scheme = WebAddress.scheme(of: text) else { return nil }
        let authority = base.dropFirst(scheme.count).prefix { !"/?".contains($0) }
        let root = scheme + authority
        if reference.hasPrefix("//") { return WebAddress(scheme + reference.dropFirst(2)) }
        let path = base.dropFirst(root.count).prefix { $0 != "?" }
        if reference.isEmpty { return self }
        if reference.hasPrefix("?") { return WebAddress(root + path + reference) }
        let end = reference.firstIndex(of: "?") ?? reference.endIndex
        let folder = reference.hasPrefix("/") ? "" : String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        return WebAddress(
            root + Self.plain(folder + "/" + reference[..<end].drop { $0 == "/" && reference.hasPrefix("/") }) + reference[end...])
    }

    /// The path without `.` and `..`; it never leads above the root.
    private static func plain(_ path: String) -> String {
        var parts: [Substring] = []
        let all = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (place, part) in all.enumerated() {
            let isLast = place == all.count - 1
            switch part {
            case ".": if isLast { parts.append("") }
            case "..":
                _ = parts.popLast()
                if isLast { parts.append("") }
            default: parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The host in lower case, without user and port.
    var host: String {
        let authority = text.dropFirst(WebAddress.scheme(of: text)?.count ?? 0).prefix { !"/?#".contains($0) }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        if place.hasPrefix("["), let end = place.firstIndex(of: "]") { return place[...end].lowercased() }
        return place.prefix { $0 != ":" }.lowercased()
    }
}
