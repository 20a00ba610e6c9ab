/// A sample connector: a folder of music on a plain web server, such as `python3 -m http.server` or a server with an index.
///
/// Its items are `webfolder:track/PATH` and `webfolder:folder/PATH`, the path relative to the folder and percent-encoded. It
/// reads the server's index pages for links, and plays a file through `ByteSource`: the hub reads it, so the player never
/// sees the server's address or its keys. Nothing here runs on the loop; every call may take as long as the server does.
package import BatonCore
package import BatonSeams

package struct WebFolder: Connector {
    package let source = "webfolder"

    package var about: SourceAbout {
        SourceAbout(name: "Web folder at \(host)", abilities: [.browse])
    }

    /// Ends in a slash.
    private let address: String
    private let host: String
    private let http: any HTTPCalling
    /// The owner configured this server, so it may be in the home network. A redirect elsewhere may lead to the internet only.
    private let policy: AddressPolicy

    /// `nil` for an address that is no complete http or https URL with a host and, where it is unusual, a port.
    package init?(_ address: String, http: any HTTPCalling) {
        guard let url = WebAddress(address), let scheme = WebAddress.scheme(of: url.text) else { return nil }
        let authority = url.text.dropFirst(scheme.count).prefix { $0 != "/" }.split(separator: ":")
        guard let host = authority.first, authority.count <= 2 else { return nil }
        self.host = String(host)
        self.address = url.text.hasSuffix("/") ? url.text : url.text + "/"
        self.http = http
        policy = .server(self.host, port: authority.count > 1 ? Int(authority[1]) ?? 0 : scheme == "https://" ? 443 : 80)
    }

    // MARK: What a connector answers

    package func check() async throws(SourceFault) { _ = try await links(of: "") }

    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        let rows = try await rows(of: query.node.map(folder) ?? "")
        let from = max(0, query.window.cursor.flatMap { Int($0) } ?? query.window.from)
        let page = rows.dropFirst(from).prefix(query.window.limit)
        return ItemPage(Array(page), cursor: from + page.count < rows.count ? String(from + page.count) : nil, total: rows.count)
    }

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        if let path = path(of: uri, .track) { return [NewEntry(uri: uri, tags: FileTitle.tags(of: path))] }
        let tracks = try await rows(of: try folder(uri)).filter { $0.tags.kind == .track }
        guard !tracks.isEmpty else { throw SourceFault(.notFound, "There is no music in \(uri.text).") }
        return tracks.map { NewEntry(uri: $0.uri, tags: $0.tags) }
    }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        guard let path = path(of: uri, .track) else { throw SourceFault(.unsupported, "\(uri.text) is no track of this source.") }
        return Playable(.bytes(NamedBytes(path, try await http.open(call(path, .stream)))))
    }

    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        if let path = path(of: uri, .track) { return ItemDetails(row: row(path, .track)) }
        return ItemDetails(row: row(try folder(uri), .folder))
    }

    // MARK: Items and paths

    private func row(_ path: String, _ kind: ItemKind) -> ItemRow {
        var tags = kind == .track ? FileTitle.tags(of: path) : Tags(title: path.split(separator: "/").last.map(String.init) ?? host)
        tags.kind = kind
        return ItemRow(uri: ItemURI("\(source):\(kind.rawValue)/\(PercentText.encoded(path, keeping: "/"))"), tags: tags)
    }

    /// `nil` for another kind, and for a path that would leave the folder.
    private func path(of uri: ItemURI, _ kind: ItemKind) -> String? {
        let head = "\(source):\(kind.rawValue)/"
        guard uri.text.hasPrefix(head), let path = PercentText.decoded(uri.text.dropFirst(head.count)) else { return nil }
        return path.split(separator: "/").contains("..") ? nil : path
    }

    private func folder(_ uri: ItemURI) throws(SourceFault) -> String {
        guard let path = path(of: uri, .folder) else { throw SourceFault(.notFound, "There is no folder \(uri.text).") }
        return path
    }

    // MARK: The server

    private func call(_ path: String, _ limits: HTTPCallLimits = HTTPCallLimits()) -> HTTPCall {
        HTTPCall(.get, address + PercentText.encoded(path, keeping: "/"), limits: limits, policy: policy)
    }

    /// Folders before tracks, each in the order of the index.
    private func rows(of folder: String) async throws(SourceFault) -> [ItemRow] {
        let names = try await links(of: folder)
        let folders = names.filter { $0.hasSuffix("/") }.map { row(folder + $0, .folder) }
        return folders + names.filter(FileName.isAudio).map { row(folder + $0, .track) }
    }

    /// The names that the index page of a folder links to, below the folder itself.
    private func links(of folder: String) async throws(SourceFault) -> [String] {
        let page: String
        do throws(HTTPCallFault) {
            let answer = try await http.call(call(folder))
            guard answer.status == 200 else { throw HTTPCallFault(.badAnswer, "\(host) answers with status \(answer.status).") }
            page = String(decoding: try await answer.whole(), as: UTF8.self)
        } catch {
            throw error.asSourceFault
        }
        return page.split(separator: "href=\"").dropFirst().compactMap { rest in
            let link = rest.prefix { $0 != "\"" && $0 != "?" && $0 != "#" }.replacing("&amp;", with: "&")
            // One name, and a slash behind a folder's; all other links lead out of the folder.
            guard let name = PercentText.decoded(link), !name.isEmpty, !name.hasPrefix("."), !name.dropLast().contains("/"),
                !name.hasPrefix("/")
            else { return nil }
            return name
        }
    }
}
