/// Any http or https URL as an item. The hub reads it for players and browsers, within the address policy. Radio
/// stations are passed on to the radio.
package import BatonCore
package import BatonSeams

package struct WebAddresses: Connector {
    private let http: any HTTPCalling
    private let radio: any StationHearing

    package var source: String { "http" }
    package var about: SourceAbout { SourceAbout(name: source, schemes: ["http", "https"]) }

    package init(http: any HTTPCalling, radio: any StationHearing) {
        self.http = http
        self.radio = radio
    }

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
            var call = HTTPCall(.get, address, limits: .stream, policy: policy)
            call.isRadio = true
            content = try await http.open(call)
        } catch {
            throw SourceFault(error.code, Self.sentence(error, name))
        }
        let answer = content as? any HTTPByteSource
        if answer?.isRadio == true { return try await radio.play(address, title: name, policy) }
        return Playable(.bytes(NamedBytes(name, content)))
    }

    package func past(of uri: ItemURI) async throws(SourceFault) -> StationWithPast? {
        let address = try Self.checked(uri)
        return await radio.past(of: address).map { StationWithPast(WebAddress.title(of: address), $0) }
    }

    private static func checked(_ uri: ItemURI) throws(SourceFault) -> String {
        if let address = WebAddress(uri.text) { return address.text }
        let isWeb = WebAddress.scheme(of: uri.text) != nil
        throw SourceFault(.unsupported, "\(uri.text) is no \(isWeb ? "complete web" : "http or https") address.")
    }

    /// The last part of the path without the query; its suffix tells decoders the format.
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
    /// Whether the answer is a station, or a playlist that names one.
    fileprivate var isRadio: Bool {
        let type = header("content-type")?.lowercased() ?? ""
        return headers.contains { $0.name.hasPrefix("icy-") } || ["mpegurl", "scpls", "xspf", "opml"].contains { type.contains($0) }
    }
}
