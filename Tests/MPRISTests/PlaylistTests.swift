import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import MPRIS

/// Playlists of a player, with a host that has three of them.
@Suite struct `Playlists of players` {
    private static let interface = PlayerInterfaces.playlists.name

    private func withPlayer(_ body: @Loop @Sendable (ListHost, MPRISPlayer, MemoryPlayer) throws -> Void) async throws {
        try await onLoop {
            let (bus, host) = (MemoryBus(), ListHost())
            var view = PlayerView(room: RoomID("main"), name: "Main")
            view.playlists = PlaylistsSection(revision: 1, count: 3)
            let player = MPRISPlayer(view, host: host)
            player.open(on: bus, as: PlayerNames.buses(of: RoomID("main"), process: 1))
            try body(host, player, try #require(bus.player("main")))
        }
    }

    @Loop private func names(
        _ player: MemoryPlayer, from index: UInt32 = 0, most: UInt32 = 100, _ order: String, reversed: Bool = false
    ) -> [String]? {
        let answer = player.call(
            "GetPlaylists", .uint32(index), .uint32(most), .text(order), .boolean(reversed), of: Self.interface)
        guard case .success(let values)? = answer, let rows = values.first?.list else { return nil }
        return rows.compactMap { row in if case .structure(let parts) = row { parts[1].text } else { nil } }
    }

    @Test func `they are listed in each order, and in parts`() async throws {
        try await withPlayer { host, _, player in
            #expect(names(player, "Alphabetical") == ["ärger", "Morning", "zoo"])
            #expect(names(player, "Alphabetical", reversed: true) == ["zoo", "Morning", "ärger"])
            #expect(names(player, "Created") == ["zoo", "ärger", "Morning"])
            #expect(names(player, "Modified") == ["Morning", "zoo", "ärger"])
            #expect(names(player, from: 1, most: 1, "Alphabetical") == ["Morning"])
            #expect(names(player, from: 9, "Alphabetical") == [])
            #expect(names(player, most: .max, "Alphabetical")?.count == 3)
            #expect(names(player, "Random") == nil)
            #expect(player["PlaylistCount", of: Self.interface] == .uint32(3))
        }
    }

    @Test func `a new name is told to programs that know the old one`() async throws {
        try await withPlayer { host, shown, player in
            host.rows[0].name = "Opera"
            shown.show(changed(shown.view, to: 2))
            #expect(player.signals.isEmpty)

            _ = names(player, "Alphabetical")
            host.rows[0].name = "Ballet"
            shown.show(changed(shown.view, to: 3))
            #expect(player.signals.map(\.name) == ["PlaylistChanged"])
            #expect(player.signals[0].arguments == [host.rows[0].busValue])
        }
    }

    private func changed(_ view: PlayerView, to revision: Int) -> PlayerView {
        var view = view
        view.playlists = PlaylistsSection(revision: revision, count: 3)
        return view
    }

    @Test func `Raise and Quit do nothing where they are not possible`() async throws {
        try await withPlayer { host, shown, player in
            let root = PlayerInterfaces.root.name
            for method in ["Raise", "Quit"] { #expect(player.call(method, of: root) == .success([])) }
            #expect(host.presses.isEmpty)
            var view = shown.view
            view.abilities = PlayerView.Abilities(raises: true, quits: true)
            shown.show(view)
            #expect(player.announced("CanQuit") == .boolean(true))
            for method in ["Raise", "Quit"] { player.call(method, of: root) }
            #expect(host.presses == ["Raise", "Quit"])
            #expect(player.set("Volume", .double(.nan)) != nil && host.presses.count == 2)
        }
    }
}

/// A host without a hub.
@Loop
private final class ListHost: PlayerHost {
    var rows = [
        ListHost.row("1", "zoo", madeMs: 1, changedMs: 8), ListHost.row("2", "Morning", madeMs: 3, changedMs: 7),
        ListHost.row("3", "ärger", madeMs: 2, changedMs: 9),
    ]
    private(set) var presses: [String] = []
    let nowUs: Microseconds = 0

    private static func row(_ id: String, _ name: String, madeMs: Milliseconds, changedMs: Milliseconds) -> PlaylistRow {
        var row = PlaylistRow(id: PlaylistID(id), name: name, revision: 1, count: 1)
        row.madeMs = madeMs
        row.changedMs = changedMs
        return row
    }

    func take(_ press: PlayerPress, named name: String, from caller: BusCaller, answer: @escaping @Loop (BusFault?) -> Void) {
        presses.append(name)
        answer(nil)
    }

    func playlists(most: Int, from caller: BusCaller?, answer: @escaping @Loop (Result<[PlaylistRow], BusFault>) -> Void) {
        answer(.success(rows))
    }

    func left(_ caller: BusCaller) {}
    func connectionChanged(to state: BusState) {}
}
