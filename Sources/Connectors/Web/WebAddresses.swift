/// Any http or https URL as an item of its own. Nothing is fetched here: the player opens it.
package import BatonCore
package import BatonSeams

package struct WebAddresses: Connector {
    package var source: String { "http" }
    package var about: SourceAbout { SourceAbout(name: source, schemes: ["http", "https"]) }

    package init() {}

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        guard trust >= .musicFolders else {
            throw SourceFault(.forbidden, "Guests may choose from the hub's sources, but not name addresses on the web.")
        }
        let address = try Self.checked(uri)
        return [NewEntry(uri: ItemURI(address), tags: Tags(title: WebAddress.title(of: address)))]
    }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        Playable(.url(try Self.checked(uri)))
    }

    private static func checked(_ uri: ItemURI) throws(SourceFault) -> String {
        if let address = WebAddress(uri.text) { return address.text }
        let isWeb = WebAddress.scheme(of: uri.text) != nil
        throw SourceFault(.unsupported, "\(uri.text) is no \(isWeb ? "complete web" : "http or https") address.")
    }
}
