import BatonCore
import BatonProtocol
import BatonSeams

/// The properties of the four interfaces, made of the state of a room.
extension PlayerView {
    /// The value of a property; `nil` for one that there is not. `nowUs` is a moment of the hub's clock.
    func value(of property: String, in interface: String, atUs nowUs: Microseconds) -> BusValue? {
        switch interface {
        case PlayerInterfaces.root.name: rootValue(of: property)
        case PlayerInterfaces.player.name: playerValue(of: property, atUs: nowUs)
        case PlayerInterfaces.trackList.name: trackListValue(of: property)
        case PlayerInterfaces.playlists.name: playlistsValue(of: property)
        default: nil
        }
    }

    /// The properties of an interface whose changes are announced with their values.
    func announced(in interface: BusInterface) -> [String: BusValue] {
        let names = interface.properties.lazy.filter { $0.announcement == .value }.map(\.name)
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in value(of: name, in: interface.name, atUs: 0).map { (name, $0) } })
    }

    private func rootValue(of property: String) -> BusValue? {
        switch property {
        case "CanQuit": .boolean(abilities.quits)
        case "CanRaise": .boolean(abilities.raises)
        case "Fullscreen", "CanSetFullscreen": .boolean(false)
        case "HasTrackList": .boolean(true)
        case "Identity": .text("\(name) (Baton)")
        // Its icon is that of all players; without the package there is none.
        case "DesktopEntry": .text("baton")
        case "SupportedUriSchemes": .texts(schemes)
        case "SupportedMimeTypes": .texts(Self.mediaTypes)
        default: nil
        }
    }

    /// The schemes that `OpenUri` takes.
    var schemes: [String] {
        var schemes = ["http", "https"] + (abilities.opensFiles ? ["file"] : [])
        for source in sources where !schemes.contains(source) && source != "file" { schemes.append(source) }
        return schemes
    }

    private static let mediaTypes = [
        "application/ogg", "audio/aac", "audio/flac", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/vnd.wave", "audio/x-ms-wma",
    ]

    private func playerValue(of property: String, atUs nowUs: Microseconds) -> BusValue? {
        switch property {
        case "PlaybackStatus": .text(isPlaying ? "Playing" : isStopped ? "Stopped" : "Paused")
        case "LoopStatus": .text(loopStatus.rawValue)
        case "Shuffle": .boolean(modes.shuffle)
        case "Rate": .double(isLive ? 1 : Double(modes.speed) / 1000)
        case "MinimumRate": .double(isLive ? 1 : Double(Modes.speedRange.lowerBound) / 1000)
        case "MaximumRate": .double(isLive ? 1 : Double(Modes.speedRange.upperBound) / 1000)
        case "Metadata": .table(metadata)
        case "Volume": .double(level)
        case "Position": .int64(positionMs(atUs: nowUs).count * 1000)
        case "CanGoNext": .boolean(canGoNext)
        case "CanGoPrevious": .boolean(canGoPrevious)
        case "CanPlay", "CanPause": .boolean(canPlay)
        case "CanSeek": .boolean(canSeek)
        case "CanControl": .boolean(abilities.controls)
        default: nil
        }
    }

    /// 1 is the loudest; a muted room is silent.
    private var level: Double { volume.map { $0.isMuted ? 0 : Self.fraction($0.level) } ?? 0 }

    /// The level as a fraction of which a hundred times is the level again, also for programs that cut off: 0.29 times 100 is below 29.
    private static func fraction(_ level: Int) -> Double {
        let nearest = Double(level) / 100
        return nearest * 100 < Double(level) ? nearest.nextUp : nearest
    }

    /// The loop of a player: Baton has it in two modes, of which some pairs mean the same here.
    enum LoopStatus: String, CaseIterable {
        case none = "None"
        case track = "Track"
        case playlist = "Playlist"
    }

    var loopStatus: LoopStatus { !modes.repeat ? .none : modes.single == .on ? .track : .playlist }

    private func trackListValue(of property: String) -> BusValue? {
        switch property {
        case "Tracks": .paths(tracks.map { PlayerNames.path(of: $0.entry) })
        case "CanEditTracks": .boolean(abilities.controls)
        default: nil
        }
    }

    private func playlistsValue(of property: String) -> BusValue? {
        switch property {
        case "PlaylistCount": .uint32(UInt32(clamping: playlists?.count ?? 0))
        case "Orderings": .texts(PlaylistOrder.allCases.map(\.rawValue))
        // A queue does not tell which list it came from, once people have changed it.
        case "ActivePlaylist": .structure([.boolean(false), .structure([.path("/"), .text(""), .text("")])])
        default: nil
        }
    }

    /// The facts about the current entry; empty when there is none.
    var metadata: [String: BusValue] { now.map { metadata(of: $0.entry, $0.uri, $0.tags) } ?? [:] }

    /// The facts about a row of the window. The current one may know more by now, such as the song of a station.
    func metadata(of row: QueueRow) -> [String: BusValue] {
        row.entry == entry ? metadata : metadata(of: row.entry, row.uri, row.tags)
    }

    private func metadata(of entry: EntryID, _ uri: ItemURI?, _ tags: Tags) -> [String: BusValue] {
        var facts: [String: BusValue] = ["mpris:trackid": .path(PlayerNames.path(of: entry))]
        func note(_ name: String, _ text: String) { if !text.isEmpty { facts[name] = .text(text) } }
        func note(_ name: String, _ texts: [String]) { if !texts.isEmpty { facts[name] = .texts(texts) } }
        func note(_ name: String, _ number: Int?) { if let number { facts[name] = .int32(Int32(clamping: number)) } }
        // A station is the album of the songs that it names.
        let isNamed = tags.streamTitle != nil
        note("xesam:title", tags.streamTitle ?? tags.title)
        note("xesam:artist", isNamed && tags.artists.isEmpty ? [tags.title].filter { !$0.isEmpty } : tags.artists)
        note("xesam:album", tags.album)
        note("xesam:albumArtist", tags.albumArtist.isEmpty ? [] : [tags.albumArtist])
        note("xesam:trackNumber", tags.track)
        note("xesam:discNumber", tags.disc)
        if let year = tags.year { note("xesam:contentCreated", String(year)) }
        note("xesam:url", uri.map(Self.url) ?? "")
        note("mpris:artUrl", tags.art.flatMap { art[$0.id] } ?? "")
        if let durationMs = tags.durationMs, !tags.isLive { facts["mpris:length"] = .int64(durationMs.count * 1000) }
        return facts
    }

    private static func url(of uri: ItemURI) -> String { uri.text.hasPrefix("/") ? FileURL.text(of: uri.text) : uri.text }
}

/// The orders in which playlists are listed, as the specification names them.
enum PlaylistOrder: String, CaseIterable {
    case alphabetical = "Alphabetical"
    case created = "Created"
    case modified = "Modified"

    func sorted(_ rows: [PlaylistRow], reversed: Bool) -> [PlaylistRow] {
        let sorted = rows.sorted { one, other in
            switch self {
            case .created where one.madeMs != other.madeMs: (one.madeMs ?? 0) < (other.madeMs ?? 0)
            case .modified where one.changedMs != other.changedMs: (one.changedMs ?? 0) < (other.changedMs ?? 0)
            default: Folding.fold(one.name) < Folding.fold(other.name)
            }
        }
        return reversed ? sorted.reversed() : sorted
    }
}

extension PlaylistRow {
    /// The path, the name and no icon: `(oss)`.
    var busValue: BusValue { .structure([.path(PlayerNames.path(of: id)), .text(name), .text("")]) }
}
