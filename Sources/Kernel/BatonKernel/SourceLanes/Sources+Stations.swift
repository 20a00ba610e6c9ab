package import BatonCore
package import BatonSeams

/// Questions about stations for recording, whatever their source.
extension Sources {
    /// Asks the stored past of a station; `nil` when there is none.
    package func past<Answer: Sendable>(
        of uri: ItemURI, _ question: @escaping @Sendable (StationWithPast) -> Answer?
    ) async throws(SourceFault) -> Answer? {
        try await ask(connector(for: uri), within: Limit.item) { connector throws(SourceFault) in
            try await connector.past(of: uri).flatMap(question)
        }
    }

    /// The row of an item, which must be a station.
    package func station(_ uri: ItemURI) async throws(SourceFault) -> ItemRow {
        let row = try await details(of: uri, trust: .itemsOnly).row
        guard row.tags.kind == .station else { throw SourceFault(.unsupported, "“\(uri.text)” is no station.") }
        return row
    }

    /// Opens a station as a room does.
    package func hear(_ uri: ItemURI) async throws(SourceFault) -> HeardStation {
        let row = try await station(uri)
        let sound = try await resolve(uri, trust: .itemsOnly)
        return HeardStation(row.tags.title, picture: await picture(of: row), sound)
    }

    /// The picture; `nil` for a station without one, or when it is unavailable, since recording works without it.
    package func picture(of row: ItemRow) async -> [UInt8]? {
        guard let id = row.tags.art.flatMap({ ArtworkID(text: $0.id) }), case .bytes(let bytes)? = try? await picture(id) else {
            return nil
        }
        return bytes
    }
}

/// A title with the station in whose past it is.
package struct FoundTitle: Sendable {
    /// The title, with its times in the sound that is stored.
    package let title: PastTitle
    /// The station, whose sound the title is cut from.
    package let station: StationWithPast
}

extension StationWithPast {
    /// The title of this number in the stored past; `nil` once its sound was dropped.
    package func title(_ number: Int) -> FoundTitle? { past.pastTitle(number).map { FoundTitle(title: $0, station: self) } }
}
