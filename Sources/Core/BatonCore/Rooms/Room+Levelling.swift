/// How loud recordings are made beside each other.
extension Room {
    /// What a player should do now, `auto` decided: an album that is played in its order is levelled as
    /// one, so that it sounds as its makers balanced it.
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

    /// What a player that was told nothing is told first.
    package mutating func tellAnew() -> [PlayerOrder] {
        levelled = levelling
        return [
            .setGain(volume.gain), .setSpeed(permille: modes.speed), .setFilters(filters), .setNext(nextRendering),
            .setLevelling(levelling),
        ]
    }

    /// Says so when it is to be another than the player was told: before anything is heard.
    mutating func settleLevelling(into outcome: inout Outcome) {
        guard !outcome.touched.isDisjoint(with: [.now, .queue, .modes]) else { return }
        // A player that was told nothing yet is told everything at once.
        guard let told = levelled, case let wanted = levelling, wanted != told else { return }
        levelled = wanted
        outcome.orders.insert(.setLevelling(wanted), at: 0)
    }
}
