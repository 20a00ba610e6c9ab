/// The loudness of recordings beside each other.
extension Room {
    /// The levelling that the player should use now, with `auto` resolved: an album that is played in order is levelled as one, so that it sounds as
    /// its makers balanced it.
    package var levelling: Levelling {
        switch modes.gain {
        case .off: Levelling()
        case .track: Levelling(by: .track, preampDb: modes.preampDb)
        case .album: Levelling(by: .album, preampDb: modes.preampDb)
        case .auto: Levelling(by: isAmongItsAlbum ? .album : .track, preampDb: modes.preampDb)
        }
    }

    private var isAmongItsAlbum: Bool {
        guard !modes.shuffle, let tags = currentEntry?.tags, !tags.album.isEmpty else { return false }
        return [-1, 1].contains { step in
            guard let neighbour = queue.entry(ahead: step, wrapping: false)?.tags else { return false }
            return neighbour.album == tags.album && neighbour.albumArtist == tags.albumArtist
        }
    }

    /// The first orders for a player that was told nothing yet.
    package mutating func ordersForNewPlayer() -> [PlayerOrder] {
        levelled = levelling
        return [
            .setGain(volume.gain), .setSpeed(permille: modes.speed), .setFilters(filters), .setNext(nextRendering),
            .setLevelling(levelling),
        ]
    }

    /// Orders another levelling when it differs from what the player was told, before anything is heard.
    mutating func settleLevelling(into outcome: inout Outcome) {
        guard !outcome.touched.isDisjoint(with: [.now, .queue, .modes]) else { return }
        // A player that was told nothing yet gets everything from `ordersForNewPlayer`.
        guard let told = levelled, case let wanted = levelling, wanted != told else { return }
        levelled = wanted
        outcome.orders.insert(.setLevelling(wanted), at: 0)
    }
}
