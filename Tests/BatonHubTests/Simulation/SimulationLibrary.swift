import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// What people do to marks and playlists while everything breaks, and what must have come of it.
extension SimulatedWorld {
    func drawForLibrary(_ key: String) -> Press {
        let song = ItemURI(random.chance(85) ? "lib:track/\(random.number(0..<42))" : "far:track/\(random.number(0..<9))")
        let lists = presses.count { $0.kind == .playlistCreate }
        let list = PlaylistID("p\(random.number(0..<lists + 1) + 1)")
        switch random.number(0..<100) {
        case 0..<18: return Press(Commands.PlaylistCreate("List \(presses.count)", uris: [song, ItemURI("lib:track/1")]), key: key)
        case 18..<52:
            let ops = (0...random.number(0..<3)).map { _ in op(song) }
            let base = random.chance(20) ? random.number(1..<5) : nil
            return Press(Commands.PlaylistEdit(id: list, base: base, ops: ops), key: key)
        case 52..<58: return Press(Commands.PlaylistDelete(id: list), key: key)
        case 58..<70: return Press(Commands.FavouriteSet(song, isOn: random.chance(60)), key: random.chance(60) ? key : nil)
        case 70..<80:
            return Press(Commands.RatingSet(song, stars: random.number(0..<6)), key: random.chance(60) ? key : nil)
        case 80..<84: return Press(Commands.Search("Song"), key: nil)
        case 84: return Press(Commands.Browse(), key: nil)
        case 85: return Press(Commands.Browse(node: ItemURI("far:shelf/tracks")), key: nil)
        case 86..<90: return Press(Commands.Browse(node: ItemURI("lib:shelf/tracks"), page: .init(limit: 10)), key: nil)
        case 90..<93: return Press(Commands.PlayedHistory(), key: nil)
        case 93..<96: return Press(Commands.Playlists(), key: nil)
        default: return Press(Commands.Playlist(list), key: nil)
        }
    }

    private func op(_ song: ItemURI) -> PlaylistOp {
        let entry = EntryID(UInt64(random.number(1..<30)))
        switch random.number(0..<10) {
        case 0..<4: return .add([song], at: .end)
        case 4: return .add([song], at: .after(entry, orEnd: true))
        case 5, 6: return .plain(.remove([entry]))
        case 7: return .plain(.move([entry], to: .after(nil)))
        case 8: return .plain(.rename("Name \(presses.count)"))
        default: return .plain(.undo)
        }
    }

    /// Whoever asks is told so, and asks again.
    func closeSource(forMs duration: Milliseconds) {
        songs.goDown("The shelf is locked.")
        _ = sim.time.after(.milliseconds(duration)) { [weak self] in self?.songs.goDown(nil) }
    }

    /// The server stops, as by a signal, or hangs in one of its steps while it says that it is there.
    func stopServer() {
        let step = random.chance(60) ? nil : HangingServer.Step.allCases.filter { $0 != .check }.randomElement(using: &random)
        server.stop(in: step.map { [$0] } ?? Set(HangingServer.Step.allCases))
        let ms = random.ms(500..<25_000)
        // The longest time limit of a question.
        if step != nil { slowUntilUs = sim.time.nowUs + Microseconds(ms + 61_000) }
        _ = sim.time.after(.milliseconds(ms)) { [weak self] in self?.server.goOn() }
    }

    /// No command waits for a server that does not answer: the time in which that is found out, twice at most while it comes and goes.
    func checkPace(_ press: Press, _ stamps: Reply.Stamps) {
        guard Microseconds(stamps.received) > slowUntilUs, stamps.sent - stamps.received > 7_000_000 else { return }
        fail("\(press.name) was answered after \((stamps.sent - stamps.received) / 1000) ms.")
    }

    /// Each press that was answered has counted once, and what the hub shows is what is stored.
    func checkLibrary() {
        guard let libraryCounts = try? userMarks.libraryCounts() else { return fail("The keepsakes do not answer.") }
        func applied(_ kind: CommandKind) -> Int { presses.count { $0.kind == kind && $0.isApplied } }
        let (made, edited, deleted) = (applied(.playlistCreate), applied(.playlistEdit), applied(.playlistDelete))
        if libraryCounts.playlists != made - deleted {
            fail("There are \(libraryCounts.playlists) lists; \(made) were made and \(deleted) deleted.")
        }
        if libraryCounts.playlistRevision != made + edited + deleted {
            fail("Lists were changed \(libraryCounts.playlistRevision) times, and \(made) + \(edited) + \(deleted) changes were answered.")
        }
        let shown = sim.companion.bytes(of: .playlists, in: room.id).flatMap { try? JSON.parse($0[...]) }
        if shown?["rev"] != .int(Int64(libraryCounts.playlistRevision)) || shown?["n"] != .int(Int64(libraryCounts.playlists)) {
            fail("The hub shows \(shown.map { "\($0)" } ?? "no lists"), and \(libraryCounts.playlists) are kept.")
        }
        let library = sim.companion.bytes(of: .library, in: room.id).flatMap { try? JSON.parse($0[...]) }
        if library?["rev"] != .int(Int64(libraryCounts.libraryRevision)) { fail("The hub shows an older library than there is.") }
    }
}

/// Folders that never change.
struct IdleLibraryControl: LibraryControl {
    /// Another one for each life of the hub.
    var news: AsyncStream<ScanReport?> { AsyncStream { $0.finish() } }

    func folders() async throws(SourceFault) -> [LibraryFolder] { [] }
    func folders(in path: String, trust: Trust) async throws(SourceFault) -> [String] { [] }
    func tracks(in folders: [String]) async -> [String: Int] { [:] }
    func setFolder(_ path: String, isWanted: Bool, holds: FolderContent?, trust: Trust) async throws(SourceFault) -> Bool { false }
    func scan(isFull: Bool) async -> Bool { false }
    func lastReport() async throws(SourceFault) -> ScanReport? { nil }
}
