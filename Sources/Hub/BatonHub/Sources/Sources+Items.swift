import BatonCore
import BatonSeams

/// What is asked about items: what they stand for, what they are, and how they are heard.
extension Sources {
    /// What a queue holds was allowed when it was added. What its name leads to can have changed since, so it is
    /// looked up with the trust of the client that added it.
    func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        try await ask(connector(for: uri), within: Limit.item) { connector throws(SourceFault) in
            try await connector.resolve(uri, trust: trust)
        }
    }

    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        try await ask(connector(for: uri), within: Limit.whole) { connector throws(SourceFault) in
            try await connector.expand(uri, trust: trust)
        }
    }

    /// What is known of one item. A source that knows no more of its items than what they expand to is
    /// asked that.
    func details(of uri: ItemURI, trust: Trust) async throws(SourceFault) -> ItemDetails {
        let connector = try await connector(for: uri)
        do throws(SourceFault) {
            return try await ask(connector, within: Limit.item) { connector throws(SourceFault) in try await connector.details(of: uri) }
        } catch {
            guard error.code == .unsupported, let only = try await expand(uri, trust: trust).only else { throw error }
            return ItemDetails(row: ItemRow(uri: only.uri, tags: only.tags))
        }
    }

    func lyrics(of uri: ItemURI) async throws(SourceFault) -> Lyrics? {
        try await ask(connector(for: uri), within: Limit.item) { connector throws(SourceFault) in try await connector.lyrics(of: uri) }
    }

    /// Where the picture of this name is: its name says what it looks like, and not whose it is.
    func picture(_ id: String) async throws(SourceFault) -> PictureSource {
        var missing = SourceFault(.notFound, "There is no picture “\(id)”.")
        for connector in connectors where connector.about.abilities.contains(.pictures) {
            do throws(SourceFault) {
                return try await ask(connector, within: Limit.item) { connector throws(SourceFault) in try await connector.picture(id) }
            } catch  where error.code == .notFound {
                continue
            } catch {
                missing = error
            }
        }
        throw missing
    }

    /// Tells the item's own source, if it wants to know such things. Whether it heard is its own affair.
    func writeBack(_ note: WriteBack, about uri: ItemURI) async {
        guard let connector = try? await connector(for: uri), connector.about.abilities.contains(note.ability) else { return }
        _ = try? await ask(connector, within: Limit.item) { connector throws(SourceFault) in try await connector.writeBack(note) }
    }
}

extension WriteBack {
    fileprivate var ability: SourceAbout.Abilities {
        switch self {
        case .favourite: .favourites
        case .stars: .stars
        case .played: .plays
        case .progress: .progress
        case .queue: .queue
        }
    }
}

extension [NewEntry] {
    fileprivate var only: NewEntry? { count == 1 ? first : nil }
}
