/// Any http or https URL as an item of its own. Nothing is fetched here: the player opens it.
package import BatonCore
package import BatonSeams

package struct WebAddresses: Connector {
    /// Answers for https too.
    package var source: String { "http" }

    package init() {}

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        guard trust >= .musicFolders else {
            throw SourceFault(.forbidden, "Guests may choose from the hub's sources, but not name addresses on the web.")
        }
        return [Self.offer(Playlist.Entry(target: .url(try Self.checked(uri.text)), tags: nil))]
    }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        Playable(.url(try Self.checked(uri.text)))
    }

    static func offer(_ entry: Playlist.Entry) -> NewEntry {
        guard case .url(let address) = entry.target else { preconditionFailure("Only addresses come here.") }
        return NewEntry(uri: ItemURI(address), tags: entry.tags ?? Tags(title: title(of: address)))
    }

    /// With a scheme in lower case, which is how items are told apart; the rest is the server's business.
    private static func checked(_ text: String) throws(SourceFault) -> String {
        guard let scheme = scheme(of: text) else { throw SourceFault(.unsupported, "\(text) is no http or https address.") }
        let rest = text.dropFirst(scheme.count)
        let isPlain = text.utf8.allSatisfy { $0 > 32 && $0 != 127 }
        guard isPlain, !host(of: rest).isEmpty else { throw SourceFault(.unsupported, "\(text) is no complete web address.") }
        return scheme + rest
    }

    static func scheme(of text: String) -> String? {
        ["http://", "https://"].first { text.prefix($0.count).lowercased() == $0 }
    }

    /// The last part of the path, or the host.
    private static func title(of address: String) -> String {
        let rest = address.dropFirst(scheme(of: address)?.count ?? 0)
        let path = rest.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst()
        let last = path.last.flatMap { FileURI.decoded(String($0)) }.map(FileTitle.title) ?? ""
        return last.isEmpty ? String(host(of: rest)) : last
    }

    private static func host(of rest: Substring) -> Substring {
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    }
}
