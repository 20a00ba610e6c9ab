/// Going back in a station as remotes see it, in simulated time: commands, the section `tl`, titles, and restarts.
import BatonCore
import BatonHub
import BatonLibrary
import BatonProtocol
import BatonRadio
import BatonSeams
import BatonWire
import Foundation
import Harness
import Stores
import Synchronization
import Testing

@Suite struct `A station is gone back in` {
    static let harbour = ItemURI("radio:station/1")
    private static let begin: Milliseconds = 1_700_000_000_000

    /// Places and numbers of titles when the hub begins.
    private static let first = StreamPositions.first(atMs: begin)
    static let number = PastTitle.number(sinceMs: begin)

    /// Bytes that say from which point on they were opened.
    private final class Sound: TitledBytes {
        let length: Int64? = nil
        let hasRanges = false
        let version: ContentVersion? = nil
        let point: RewindPoint?
        let hasPast: Bool

        init(_ point: RewindPoint? = nil, hasPast: Bool) {
            self.point = point
            self.hasPast = hasPast
        }

        func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] { [] }
        func title(at position: Int64) -> String? { nil }
        func begin(at point: RewindPoint) async -> (any TitledBytes)? { hasPast ? Sound(point, hasPast: true) : nil }
    }

    /// An hour of two titles, the second on air, with a gap in the first.
    private final class Past: StationPast {
        let positions = first + 16_000..<first + 52_000
        let isReceiving = true
        func titles() -> [StreamTitle] {
            [
                StreamTitle(at: first + 8000, timeMs: begin, "Anna - Eins"),
                StreamTitle(at: first + 40_000, timeMs: begin + 24_000, "Bert - Zwei"),
            ]
        }
        func gaps() -> [StreamGap] { [StreamGap(at: first + 20_000, timesMs: begin + 3000..<begin + 9000)] }
        func timeMs(at place: Int64) -> Milliseconds? { positions.contains(place) ? begin + Milliseconds(place - first - 16_000) : nil }
        func entry(atMs timeMs: Milliseconds) -> (at: Int64, head: [UInt8]) { ((timeMs - begin).count, []) }
        func bytes(at place: Int64, count: Int) throws(SourceFault) -> (at: Int64, bytes: [UInt8]) { (place, []) }
    }

    struct Shelf: StationShelf {
        let stations: `Radio stations are kept`.Shelf
        let hasPast: Bool

        var storage: any StationStorage { stations.storage }
        var source: String { stations.source }
        var about: SourceAbout { stations.about }
        func uri(of stored: StoredStation) -> ItemURI { stations.uri(of: stored) }
        func tags(of stored: StoredStation) -> Tags { stations.tags(of: stored) }
        func stored(_ uri: ItemURI) throws(SourceFault) -> StoredStation { try stations.stored(uri) }
        func stations(_ query: StationQuery) throws(SourceFault) -> StationPage { try stations.stations(query) }
        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
            try await stations.expand(uri, trust: trust)
        }
        func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails { try await stations.details(of: uri) }
        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
            Playable(.bytes(NamedBytes("live.mp3", Sound(hasPast: hasPast))), isLive: true)
        }
        func past(of uri: ItemURI) async throws(SourceFault) -> StationWithPast? { hasPast ? StationWithPast("Harbour FM", Past()) : nil }
    }

    /// Writes nothing, and waits for as long as the title is on air.
    private final class Recorder: StationRecording {
        let saved = Mutex<[Int]>([])

        func record(_ station: HeardStation, into folder: any RecordingFolder, note: @escaping @Sendable (String) async -> Void)
            async throws(SourceFault)
        {}
        func save(
            _ title: PastTitle, in station: StationWithPast, picture: [UInt8]?, into folder: any RecordingFolder
        ) async throws(SourceFault) {
            if title.text == "Anna - Eins" { throw SourceFault(.quota, "The disk is full, so nothing is recorded.") }
            saved.withLock { $0.append(title.number) }
        }
    }

    @Loop
    private func withHub(
        hasPast: Bool = true,
        _ body: @escaping @Loop (SimulatedHub, TestRemote, Recorder, @Loop () throws -> TestRemote) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "baton-rewound-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try SourceStore(folder: folder)
        defer { store.close() }
        _ = try store.add([Station(title: "Harbour FM", url: "http://a.example/harbour")], isOwn: true)
        let sim = try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: []))
        let recorder = Recorder()
        let open = {
            sim.hub.open(Shelf(stations: .init(storage: store), hasPast: hasPast))
            sim.hub.open(RecordingParts(storage: store, folder: NoRecordings(), recorder: recorder, zone: .utc))
            return try sim.remote()
        }
        try await body(sim, try open(), recorder) {
            try sim.restart()
            return try open()
        }
    }

    /// A new key each time.
    @Loop private final class KeySource {
        private static var count = 0
        static func next() -> String {
            count += 1
            return "rewind\(count)"
        }
    }

    @Loop
    private func ask(_ remote: TestRemote, _ command: some WireCommand) async throws -> ReceivedReply {
        try #require(await remote.awaitReply(remote.send(command, key: KeySource.next())))
    }

    /// The station plays, and its player has measured how old the sound is.
    @Loop
    private func play(_ sim: SimulatedHub, _ remote: TestRemote, pastMs: Milliseconds? = 3_600_000) async throws -> EntryID {
        _ = try await ask(remote, Commands.RadioPlay(uri: Self.harbour))
        try await settle(sim, remote)
        let entry = try #require(remote.mirror.now?.entry)
        sim.player.tell(.past(entry, ageMs: 4000, reachMs: pastMs, atUs: sim.time.nowUs))
        #expect(await sim.time.until(within: .seconds(2)) { (remote.mirror.timeline?.pastMs == nil) == (pastMs == nil) })
        return entry
    }

    @Loop
    private func settle(_ sim: SimulatedHub, _ remote: TestRemote) async throws {
        #expect(await sim.time.until(within: .seconds(2)) { remote.mirror.timeline?.state == .playing })
    }

    @Loop private func point(_ sim: SimulatedHub) -> RewindPoint? {
        guard case .bytes(let bytes)? = sim.player.loaded?.location else { return nil }
        return (bytes.content as? Sound)?.point
    }

    /// BT-RAD-020 BT-RAD-021 BT-CMD-radio.back BT-CMD-radio.live
    @Test func `remotes see how far behind a room is and count on by themselves`() async throws {
        try await onLoop {
            try await withHub { sim, remote, _, _ in
                let entry = try await play(sim, remote)
                #expect(remote.mirror.timeline?.behindMs == nil)
                // As of the moment of the line.
                #expect(3_590_000...3_600_000 ~= remote.mirror.timeline?.pastMs ?? 0)
                let reply = try await ask(remote, Commands.RadioBack(entry: entry, ms: 600_000))
                #expect(reply.reply.outcome == .applied() && remote.mirror.timeline?.behindMs == 604_000)
                try await settle(sim, remote)
                #expect(point(sim) != nil)
                let seen = remote.mirror.revision
                sim.time.pass(.seconds(60))
                #expect(remote.mirror.revision == seen)
                let behind = try #require(remote.mirror.behindMs(atHubUs: sim.time.nowUs))
                #expect(604_000...606_000 ~= behind)
                _ = try await ask(remote, Commands.Pause())
                sim.time.pass(.seconds(30))
                #expect(remote.mirror.behindMs(atHubUs: sim.time.nowUs) == behind + 30_000)
                _ = try await ask(remote, Commands.RadioLive(entry: entry))
                try await settle(sim, remote)
                #expect(point(sim) == nil && remote.mirror.timeline?.behindMs == nil)
                #expect(try await ask(remote, Commands.RadioLive()).reply.outcome == .noop(why: .same))
                #expect(try await ask(remote, Commands.RadioBack(ms: 99_000_000)).reply.outcome == .applied(why: .floor))
            }
        }
    }

    /// BT-RAD-022
    @Test func `a hub that was killed goes on where the station was, when play is pressed`() async throws {
        try await onLoop {
            try await withHub { sim, remote, _, restart in
                _ = try await play(sim, remote)
                _ = try await ask(remote, Commands.RadioBack(ms: 600_000))
                try await settle(sim, remote)
                let heard = Self.begin + Milliseconds(sim.time.nowUs) - 604_000
                sim.time.pass(.seconds(20))
                let again = try restart()
                #expect(again.mirror.timeline?.state == .paused && again.mirror.timeline?.behindMs != nil)
                _ = try await ask(again, Commands.Play())
                try await settle(sim, again)
                guard case .received(let atMs)? = point(sim) else {
                    Issue.record("It plays live.")
                    return
                }
                // The place is written every five seconds.
                #expect((heard + 14_000)...(heard + 21_000) ~= atMs)
            }
        }
    }

    /// BT-CMD-radio.titles BT-CMD-radio.back
    @Test func `titles are listed with what is missing, and gone back to by their numbers`() async throws {
        try await onLoop {
            try await withHub { sim, remote, _, _ in
                let entry = try await play(sim, remote)
                let list = try TitleList(from: try #require(try await ask(remote, Commands.RadioTitles()).data))
                #expect(list.fromMs == Self.begin && list.toMs == Self.begin + 35_999)
                #expect(list.gaps == [.init(beginsMs: Self.begin + 3000, endsMs: Self.begin + 9000)])
                let first = TitleList.Row(
                    number: Int64(Self.number + 500), beginsMs: Self.begin, endsMs: Self.begin + 24_000, title: "Anna - Eins", isPart: true)
                let second = TitleList.Row(number: Int64(Self.number + 2500), beginsMs: Self.begin + 24_000, title: "Bert - Zwei")
                #expect(list.rows == [first, second])
                let older = try TitleList(
                    from: try #require(try await ask(remote, Commands.RadioTitles(uri: Self.harbour, before: Self.number + 2500)).data))
                #expect(older.rows == [first])
                #expect(try await ask(remote, Commands.RadioBack(entry: entry, title: Self.number + 500)).reply.outcome == .applied())
                try await settle(sim, remote)
                #expect(point(sim) == .position(Self.first + 16_000))
                #expect(try await ask(remote, Commands.RadioBack(title: 7)).reply.outcome.code == .gone)
            }
        }
    }

    /// BT-RAD-025 BT-CMD-radio.save
    @Test func `a title is saved once, whatever is restarted, and one that cannot be is not saved`() async throws {
        try await onLoop {
            try await withHub { sim, remote, recorder, restart in
                let save = Commands.RadioSave(Self.number + 2500, uri: Self.harbour)
                #expect(try await ask(remote, save).reply.outcome == .applied())
                #expect(try await ask(remote, save).reply.outcome == .noop(why: .same))
                #expect(try await ask(remote, Commands.RadioSave(Self.number + 500, uri: Self.harbour)).reply.outcome.code == .quota)
                #expect(try await ask(remote, Commands.RadioSave(7, uri: Self.harbour)).reply.outcome.code == .gone)
                #expect(try await ask(remote, Commands.RadioSave(Self.number + 2500)).reply.outcome.code == .notFound)
                let again = try restart()
                let list = try TitleList(from: try #require(try await ask(again, Commands.RadioTitles(uri: Self.harbour)).data))
                #expect(list.rows.map(\.isSaved) == [false, true])
                #expect(try await ask(again, save).reply.outcome == .noop(why: .same))
                #expect(recorder.saved.withLock { $0 } == [Self.number + 2500])
            }
        }
    }

    @Test func `a station of which nothing is kept is only live`() async throws {
        try await onLoop {
            try await withHub(hasPast: false) { sim, remote, _, _ in
                let entry = try await play(sim, remote, pastMs: nil)
                #expect(remote.mirror.timeline?.pastMs == nil)
                #expect(try await ask(remote, Commands.RadioBack(ms: 1000)).reply.outcome.code == .invalidState)
                #expect(try await ask(remote, Commands.SeekBy(ms: -1000)).reply.outcome.code == .invalidState)
                // Its past was lost after it was shown.
                sim.player.tell(.past(entry, ageMs: 4000, reachMs: 60_000, atUs: sim.time.nowUs))
                _ = try await ask(remote, Commands.RadioBack(ms: 10_000))
                try await settle(sim, remote)
                #expect(point(sim) == nil && remote.mirror.timeline?.behindMs == nil)
            }
        }
    }
}

extension Reply.Outcome {
    fileprivate var code: ErrorCode? { if case .failed(let fault) = self { ErrorCode(rawValue: fault.code) } else { nil } }
}
