/// Any http or https URL as an item of its own. The hub reads it for the player and for browsers, within the rule of addresses;
/// stations and lists of pieces (HLS) are opened by the player itself once the hub has seen that their server may be called.
package import BatonCore
package import BatonSeams

package struct WebAddresses: Connector {
    private let http: any HTTPCalling

    package var source: String { "http" }
    package var about: SourceAbout { SourceAbout(name: source, schemes: ["http", "https"]) }

    package init(http: any HTTPCalling) { self.http = http }

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        guard trust >= .musicFolders else {
            throw SourceFault(.forbidden, "Guests may choose from the hub's sources, but not name addresses on the web.")
        }
        let address = try Self.checked(uri)
        return [NewEntry(uri: ItemURI(address), tags: Tags(title: WebAddress.title(of: address)))]
    }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        let address = try Self.checked(uri)
        let name = Self.name(of: address)
        let policy = AddressPolicy.named(onThisMachine: trust >= .ownMachine)
        let content: any ByteSource
        do throws(SourceFault) {
            content = try await http.open(HTTPCall(.get, address, limits: .stream, policy: policy))
        } catch {
            throw SourceFault(error.code, Self.sentence(error, name))
        }
        let answer = content as? any HTTPByteSource
        if answer?.isStation == true || answer?.isListOfPieces == true { return Playable(.url(address)) }
        return Playable(.bytes(NamedBytes(name, content)))
    }

    private static func checked(_ uri: ItemURI) throws(SourceFault) -> String {
        if let address = WebAddress(uri.text) { return address.text }
        let isWeb = WebAddress.scheme(of: uri.text) != nil
        throw SourceFault(.unsupported, "\(uri.text) is no \(isWeb ? "complete web" : "http or https") address.")
    }

    /// The last part of the path, without query: its ending tells a decoder what to expect.
    private static func name(of address: String) -> String {
        let place = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        return place.last.map { PercentText.decoded($0) ?? String($0) } ?? address
    }

    private static func sentence(_ fault: SourceFault, _ name: String) -> String {
        fault.code == .notFound
            ? "“\(name)” cannot be played: the server does not have it (404)." : "“\(name)” cannot be played: \(fault.sentence)"
    }
}

extension HTTPByteSource {
    /// Titles stand between the bytes of a station, which only the player's own opening reads.
    fileprivate var isStation: Bool { headers.contains { $0.name.hasPrefix("icy-") } }

    fileprivate var isListOfPieces: Bool { header("content-type")?.lowercased().contains("mpegurl") ?? false }
}
