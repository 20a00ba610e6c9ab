/// One room as a player on the session bus.
///
/// It is shown a state and tells programs what differs from the last one. What they ask goes to the host, by the rules of `PressRules`.
import BatonCore
import BatonProtocol
package import BatonSeams

@Loop
package final class MPRISPlayer: BusObject {
    package private(set) var view: PlayerView
    /// The entry that programs were told last. A press means that one, so that what has ended meanwhile is not skipped twice.
    private var told: EntryID?
    /// The properties that programs were told last, by interface.
    private var announced: [String: [String: BusValue]] = [:]
    /// Weak, because the host owns its player.
    private weak var host: (any PlayerHost)?
    private var connection: (any BusConnection)?
    /// Playlists that a program has seen, so that it is told of new names.
    private var playlists: [PlaylistRow]?

    package static let mostPlaylists = 500
    private static let gone = "The room is gone."

    package init(_ view: PlayerView, host: any PlayerHost) {
        self.view = view
        self.host = host
    }

    /// Shows the player on the bus, under the first of `names` that is free.
    package func open(on bus: any DesktopBusOpening, as names: [String]) {
        let connection = bus.open(as: names, showing: self, at: PlayerNames.path)
        self.connection = connection
        state = connection.state
    }

    package func close() {
        connection?.close()
        connection = nil
        state = .closed
    }

    package private(set) var state = BusState.closed
    /// True while programs can see it. Until then it need not be shown anything.
    package var isSeen: Bool { if case .connected = state { true } else { false } }

    // MARK: Telling

    /// Shows another state, and tells programs of the differences.
    package func show(_ new: PlayerView) {
        let old = view
        guard new != old else { return }
        view = new
        if let connection, isSeen { tell(from: old, over: connection) }
    }

    private func tell(from old: PlayerView, over connection: any BusConnection) {
        let list = TrackListNews(from: old, to: view)
        for interface in PlayerInterfaces.all {
            let present = view.announced(in: interface)
            let changed = present.filter { announced[interface.name]?[$0.key] != $0.value }
            announced[interface.name] = present
            let outdated = interface.name == PlayerInterfaces.trackList.name && list.isChanged ? ["Tracks"] : []
            connection.announce(changed, outdated: outdated, of: interface.name)
        }
        told = view.entry
        for signal in list.signals { connection.send(signal.name, of: PlayerInterfaces.trackList.name, signal.arguments) }
        if view.hasJumped(since: old) { tellPosition(over: connection) }
        if view.playlists != old.playlists { lookAtPlaylists() }
    }

    private func tellPosition(over connection: any BusConnection) {
        let position = view.positionMs(atUs: nowUs)
        connection.send("Seeked", of: PlayerInterfaces.player.name, [.int64(position.count * 1000)])
    }

    private func lookAtPlaylists() {
        guard let known = playlists else { return }
        host?.playlists(most: Self.mostPlaylists, from: nil) { [weak self] result in
            guard let self, case .success(let rows) = result else { return }
            playlists = rows
            let names = Dictionary(known.map { ($0.id, $0.name) }) { first, _ in first }
            for row in rows where names[row.id].map({ $0 != row.name }) ?? false {
                connection?.send("PlaylistChanged", of: PlayerInterfaces.playlists.name, [row.busValue])
            }
        }
    }

    // MARK: As the bus sees it

    package var interfaces: [BusInterface] { PlayerInterfaces.all }

    package func value(of property: String, in interface: String) -> BusValue? {
        view.value(of: property, in: interface, atUs: nowUs)
    }

    private var nowUs: Microseconds { host?.nowUs ?? 0 }

    private var rules: PressRules { PressRules(view: view, told: told, nowUs: nowUs) }

    package func set(
        _ property: String, in interface: String, to value: BusValue, from caller: BusCaller, answer: @escaping @Loop (BusFault?) -> Void
    ) {
        do throws(BusFault) {
            take(try rules.press(setting: property, to: value), named: property, from: caller, answer: answer)
        } catch { answer(error) }
    }

    package func take(_ call: BusCall, answer: @escaping @Loop (Result<[BusValue], BusFault>) -> Void) {
        if call.method == "GetTracksMetadata" { return answer(.success([facts(of: call.arguments[0].list ?? [])])) }
        do throws(BusFault) {
            let press = try rules.press(of: call.method, in: call.interface, call.arguments)
            if case .listPlaylists(let range) = press { return list(range, for: call.caller, answer) }
            take(press, named: call.method, from: call.caller) { fault in answer(fault.map { .failure($0) } ?? .success([])) }
        } catch { answer(.failure(error)) }
    }

    private func take(_ press: PlayerPress, named name: String, from caller: BusCaller, answer: @escaping @Loop (BusFault?) -> Void) {
        guard let host else { return answer(.failed(Self.gone)) }
        if case .nothing = press { return answer(nil) }
        host.take(press, named: name, from: caller, answer: answer)
    }

    private func facts(of paths: [BusValue]) -> BusValue {
        let rows = Dictionary(view.tracks.map { ($0.entry, $0) }) { first, _ in first }
        let known = paths.compactMap { path in path.path.flatMap { PlayerNames.entry(at: $0) }.flatMap { rows[$0] } }
        return .list(of: BusValue.tableType, known.map { .table(view.metadata(of: $0)) })
    }

    private func list(
        _ range: PlayerPress.PlaylistRange, for caller: BusCaller, _ answer: @escaping @Loop (Result<[BusValue], BusFault>) -> Void
    ) {
        guard let host else { return answer(.failure(.failed(Self.gone))) }
        host.playlists(most: Self.mostPlaylists, from: caller) { [weak self] result in
            if case .success(let rows) = result { self?.playlists = rows }
            answer(result.map { [.list(of: "(oss)", range.rows(of: $0).map(\.busValue))] })
        }
    }

    package func left(_ caller: BusCaller) { host?.left(caller) }

    package func connectionChanged(to state: BusState) {
        self.state = state
        host?.connectionChanged(to: state)
        if case .connected = state {
            // A program that comes now reads all of this.
            for interface in PlayerInterfaces.all { announced[interface.name] = view.announced(in: interface) }
            told = view.entry
        }
    }
}
