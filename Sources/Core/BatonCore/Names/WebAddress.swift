/// An http or https URL, judged by its text alone. Nothing here opens a connection.
package struct WebAddress: Equatable, Sendable {
    /// The URL with its scheme in lower case, so that equal items compare equal; the rest stays as it is.
    package let text: String

    /// `nil` for another scheme, for a URL without a host, and for one with a space or a control character, which could end a line of a request.
    package init?(_ text: String) {
        guard let scheme = Self.scheme(of: text) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let isPlain = text.utf8.allSatisfy { $0 > 32 && $0 != 127 }
        guard isPlain, !Self.host(of: rest).isEmpty else { return nil }
        self.text = scheme + rest
    }

    /// `http://` or `https://`.
    package static func scheme(of text: String) -> String? {
        ["http://", "https://"].first { text.prefix($0.count).lowercased() == $0 }
    }

    /// A title for an address without other facts: the last part of its path, or its host.
    package static func title(of address: String) -> String {
        let rest = address.dropFirst(scheme(of: address)?.count ?? 0)
        let path = rest.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst()
        let last = path.last.flatMap { PercentText.decoded($0) }.map(FileTitle.title) ?? ""
        return last.isEmpty ? String(host(of: rest)) : last
    }

    private static func host(of rest: Substring) -> Substring {
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    }
}
