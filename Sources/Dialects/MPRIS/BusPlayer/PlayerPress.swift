/// The meaning of a call, or of a new value of a property, for the room. A value: the rules of the specification are decided here, and a host
/// carries out what they give.
package import BatonCore
import BatonProtocol
import BatonSeams
package import BatonWire

package enum PlayerPress: Sendable {
    /// The specification says that nothing happens.
    case nothing
    case command(any WireCommand)
    /// Adds an item, and plays it at once if that is wanted.
    case add(ItemURI, InsertionPoint, plays: Bool)
    case raise
    case quit
    /// Pages of playlists are read by the host, and sorted here.
    case listPlaylists(PlaylistRange)

    /// A part of the list of playlists.
    package struct PlaylistRange: Equatable, Sendable {
        var index: UInt32
        var most: UInt32
        var order: PlaylistOrder
        var isReversed: Bool

        func rows(of all: [PlaylistRow]) -> [PlaylistRow] {
            Array(order.sorted(all, reversed: isReversed).dropFirst(Int(index)).prefix(Int(most)))
        }
    }
}

/// The rules by which calls become presses.
struct PressRules {
    let view: PlayerView
    /// The entry that programs were told last; a press means that one.
    let told: EntryID?
    /// A moment of the hub's clock.
    let nowUs: Microseconds

    /// Further in than this `Previous` begins the entry again. The specification wants the one before in any case, and this is the longest
    /// that a command may say.
    private static let neverRestartsMs: Milliseconds = 600_000
    /// The longest URI that is worth a question to a source.
    private static let mostURIBytes = 4_096

    // MARK: Methods

    func press(of method: String, in interface: String, _ arguments: [BusValue]) throws(BusFault) -> PlayerPress {
        switch (interface, method) {
        case (PlayerInterfaces.root.name, "Raise"): return view.abilities.raises ? .raise : .nothing
        case (PlayerInterfaces.root.name, "Quit"): return view.abilities.quits ? .quit : .nothing
        case (PlayerInterfaces.player.name, _): return try playerPress(of: method, arguments)
        case (PlayerInterfaces.trackList.name, _): return try trackListPress(of: method, arguments)
        case (PlayerInterfaces.playlists.name, _): return try playlistsPress(of: method, arguments)
        default: throw .unknownMethod(method)
        }
    }

    private func playerPress(of method: String, _ arguments: [BusValue]) throws(BusFault) -> PlayerPress {
        switch method {
        case "Next": return next
        case "Previous": return view.now == nil ? .nothing : .command(Commands.Previous(from: told, restartMs: Self.neverRestartsMs))
        case "Play": return view.canPlay && !view.isPlaying ? .command(Commands.Play()) : .nothing
        case "Pause": return view.isPlaying ? .command(Commands.Pause()) : .nothing
        case "PlayPause":
            guard view.canPlay else { throw .failed("Nothing is there to be played.") }
            return .command(Commands.Toggle(view.isPlaying ? .paused : .playing))
        case "Stop": return view.isStopped ? .nothing : .command(Commands.Stop())
        case "Seek": return seek(byUs: arguments[0].int64 ?? 0)
        case "SetPosition": return seek(toUs: arguments[1].int64 ?? 0, at: arguments[0].path ?? "")
        case "OpenUri": return .add(try item(arguments[0].text ?? ""), .next, plays: true)
        default: throw .unknownMethod(method)
        }
    }

    /// A room that is paused stays so at the next entry, and one without a next entry stops.
    private var next: PlayerPress { view.now == nil ? .nothing : .command(Commands.Next(from: told)) }

    private func seek(byUs offset: Int64) -> PlayerPress {
        guard view.canSeek, let told else { return .nothing }
        let ms = Milliseconds(count: offset / 1000)
        let (target, isTooFar) = view.positionMs(atUs: nowUs).count.addingReportingOverflow(ms.count)
        // Beyond the end is the next entry; before the beginning is the beginning.
        if isTooFar && ms.count > 0 { return next }
        if let durationMs = view.durationMs, target > durationMs.count { return next }
        return .command(Commands.Seek(entry: told, positionMs: max(0, isTooFar ? 0 : Milliseconds(count: target))))
    }

    private func seek(toUs position: Int64, at path: String) -> PlayerPress {
        // A path of another track comes from a program that has not yet heard that this one plays.
        guard view.canSeek, let entry = PlayerNames.entry(at: path), entry == view.entry, position >= 0 else { return .nothing }
        let ms = Milliseconds(count: position / 1000)
        if let durationMs = view.durationMs, ms > durationMs { return .nothing }
        return .command(Commands.Seek(entry: entry, positionMs: ms))
    }

    private func item(_ uri: String) throws(BusFault) -> ItemURI {
        guard uri.utf8.count <= Self.mostURIBytes, !uri.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .invalidArguments("This is not a URI.")
        }
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        guard scheme.utf8.count < uri.utf8.count, view.schemes.contains(scheme) else {
            throw .notSupported("Nothing here knows the URI \(uri.prefix(100)).")
        }
        guard scheme == "file" else { return ItemURI(uri) }
        guard let path = FileURL.path(of: uri) else { throw .invalidArguments("This is not the URI of a file of this machine.") }
        return ItemURI(path)
    }

    private func trackListPress(of method: String, _ arguments: [BusValue]) throws(BusFault) -> PlayerPress {
        switch method {
        case "AddTrack":
            let uri = try item(arguments[0].text ?? "")
            let after = arguments[1].path ?? ""
            let plays = arguments[2].boolean ?? false
            // No track means the beginning; a track that is gone means the end.
            let place: InsertionPoint =
                after == PlayerNames.noTrack
                ? .after(nil) : PlayerNames.entry(at: after).map { .after($0, orEnd: true) } ?? .end
            return .add(uri, place, plays: plays)
        case "RemoveTrack": return shown(arguments[0]).map { .command(Commands.QueueRemove([$0])) } ?? .nothing
        case "GoTo": return shown(arguments[0]).map { .command(Commands.Jump($0)) } ?? .nothing
        default: throw .unknownMethod(method)
        }
    }

    /// An entry of the window that programs see. A path of any other is out of date, and does nothing.
    private func shown(_ path: BusValue) -> EntryID? {
        guard let entry = PlayerNames.entry(at: path.path ?? "") else { return nil }
        return view.tracks.contains { $0.entry == entry } ? entry : nil
    }

    private func playlistsPress(of method: String, _ arguments: [BusValue]) throws(BusFault) -> PlayerPress {
        switch method {
        case "ActivatePlaylist":
            guard let id = PlayerNames.playlist(at: arguments[0].path ?? "") else { throw .invalidArguments("There is no such playlist.") }
            return .command(Commands.Play(uri: id.uri))
        case "GetPlaylists":
            guard let order = PlaylistOrder(rawValue: arguments[2].text ?? "") else {
                throw .invalidArguments("Playlists have the orders \(PlaylistOrder.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            return .listPlaylists(
                PlayerPress.PlaylistRange(
                    index: arguments[0].uint32 ?? 0, most: arguments[1].uint32 ?? 0, order: order,
                    isReversed: arguments[3].boolean ?? false))
        default: throw .unknownMethod(method)
        }
    }

    // MARK: Properties

    func press(setting property: String, to value: BusValue) throws(BusFault) -> PlayerPress {
        switch property {
        case "LoopStatus": return try loop(value.text ?? "")
        case "Shuffle": return .command(Commands.ModeSet(shuffle: value.boolean ?? false))
        case "Rate": return try rate(value.double ?? 1)
        case "Volume":
            let level = try number(value)
            return .command(Commands.VolumeSet(Int((min(1, max(0, level)) * 100).rounded())))
        case "Fullscreen": throw .notSupported("A room has no screen.")
        default: throw .readOnly(property)
        }
    }

    private func number(_ value: BusValue) throws(BusFault) -> Double {
        guard let number = value.double, !number.isNaN else { throw .invalidArguments("This is no number.") }
        return number
    }

    private func loop(_ word: String) throws(BusFault) -> PlayerPress {
        switch PlayerView.LoopStatus(rawValue: word) {
        case PlayerView.LoopStatus.none?:
            // `single` without `repeat` ends playing after each entry too, which is another wish.
            return .command(Commands.ModeSet(repeat: false, single: view.loopStatus == .track ? .off : nil))
        case .track?: return .command(Commands.ModeSet(repeat: true, single: .on))
        case .playlist?: return .command(Commands.ModeSet(repeat: true, single: view.modes.single == .on ? .off : nil))
        case nil: throw .invalidArguments("The loop is None, Track or Playlist.")
        }
    }

    private func rate(_ rate: Double) throws(BusFault) -> PlayerPress {
        guard !rate.isNaN, rate >= 0 else { throw .invalidArguments("No room plays backwards.") }
        if rate == 0 { return view.isPlaying ? .command(Commands.Pause()) : .nothing }
        if view.isLive { return .nothing }
        let range = Modes.speedRange
        let permille = Int((min(rate, 100) * 1000).rounded())
        return .command(Commands.ModeSet(speed: min(max(permille, range.lowerBound), range.upperBound)))
    }
}
