/// What the hub records and when, in simulated time: over restarts, at times, and while a station or the disk is in trouble.
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

/// A folder in which nothing can be written.
struct NoRecordings: RecordingFolder {
    let today = "2026-11-23"
    func finishInterrupted(except names: Set<String>) -> Int { 0 }
    func state(of name: String) -> RecordedFileState { .missing }
    func finish(_ name: String) throws(SourceFault) -> Bool { false }
    func remove(_ name: String) {}
    func begin(_ song: RecordedSong) throws(SourceFault) -> any RecordedFile { throw SourceFault(.unsupported, "There is none.") }
}

@Suite struct `The radio is recorded` {
    /// Records until it is cancelled, or fails as it is told to.
    private final class Recorder: StationRecording {
        private let state = Mutex<(begun: [String], fault: SourceFault?, waiting: [CheckedContinuation<Void, Never>])>(([], nil, []))

        var begun: [String] { state.withLock { $0.begun } }

        func fail(_ fault: SourceFault?) { state.withLock { $0.fault = fault } }

        func record(
            _ station: HeardStation, into folder: any RecordingFolder, note: @escaping @Sendable (String) async -> Void
        ) async throws(SourceFault) {
            let fault = state.withLock { state in
                state.begun.append(station.title)
                return state.fault
            }
            if let fault { throw fault }
            await note("Anna - Eins")
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiting in
                    let isOver = state.withLock { state in
                        if Task.isCancelled { return true }
                        state.waiting.append(waiting)
                        return false
                    }
                    if isOver { waiting.resume() }
                }
            } onCancel: {
                let waiting = state.withLock { state in
                    defer { state.waiting = [] }
                    return state.waiting
                }
                for one in waiting { one.resume() }
            }
            throw .cancelled
        }

        func save(
            _ title: PastTitle, in station: StationWithPast, picture: [UInt8]?, into folder: any RecordingFolder
        ) async throws(SourceFault) {}
    }

    @Test func `recordings are kept and removed`() throws {
        let folder = NSTemporaryDirectory() + "baton-recordings-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var stored = Recording(ItemURI("radio:station/1"), title: "Harbour", beginsMs: 5, endsMs: 9, repeats: .week)
        do {
            let store = try SourceStore(folder: folder)
            defer { store.close() }
            stored.id = try store.put(stored)
            _ = try store.put(Recording(ItemURI("radio:station/2"), title: "Nord", beginsMs: 7))
        }
        let store = try SourceStore(folder: folder)
        defer { store.close() }
        #expect(try store.recordings() == [stored, Recording(id: 2, ItemURI("radio:station/2"), title: "Nord", beginsMs: 7)])
        try store.removeRecording(1)
        #expect(try store.recordings().map(\.id) == [2])
    }

    @Loop
    private func withHub(in zone: LocalTime = .utc, _ body: @escaping @Loop (SimulatedHub, TestRemote, Recorder) async throws -> Void)
        async throws
    {
        let folder = NSTemporaryDirectory() + "baton-recorded-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try SourceStore(folder: folder)
        defer { store.close() }
        let sim = try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: []))
        let recorder = Recorder()
        sim.hub.open(`Radio stations are kept`.Shelf(storage: store))
        sim.hub.open(RecordingParts(storage: store, folder: NoRecordings(), recorder: recorder, zone: zone))
        _ = try store.add([Station(title: "Harbour FM", url: "http://a.example/harbour")], isOwn: true)
        let remote = try sim.remote()
        try await body(sim, remote, recorder)
    }

    @Loop
    private func reply(_ remote: TestRemote, _ request: Commands.RadioRecord) async throws -> ReceivedReply {
        try #require(await remote.awaitReply(remote.send(request)))
    }

    private static let harbour = ItemURI("radio:station/1")

    /// BT-CMD-radio.record BT-RAD-013
    @Test func `a station is recorded until it is stopped, and is shown before the answer`() async throws {
        try await onLoop {
            try await withHub { sim, remote, recorder in
                let start = Commands.RadioRecord(uri: Self.harbour)
                #expect(try await reply(remote, start).reply.outcome == .applied())
                #expect(remote.mirror.radio?.recorded.map(\.recording.title) == ["Harbour FM"])
                #expect(try await reply(remote, start).reply.outcome == .noop(why: .same))
                try await until(sim) { remote.mirror.radio?.recorded.first?.song == "Anna - Eins" }
                #expect(recorder.begun == ["Harbour FM"])

                #expect(try await reply(remote, Commands.RadioRecord(stop: 1)).reply.outcome == .applied())
                #expect(remote.mirror.radio?.recorded ?? [] == [])
                #expect(try await reply(remote, Commands.RadioRecord(stop: 1)).refusal == .notFound)
            }
        }
    }

    @Test func `a recording begins at its time, ends, and begins again a day later`() async throws {
        try await onLoop {
            try await withHub { sim, remote, recorder in
                let now = 1_700_000_000_000 + Milliseconds(sim.time.nowUs)
                let wish = Commands.RadioRecord(uri: Self.harbour, atMs: now + 60_000, lengthMs: 30_000, every: .day)
                #expect(try await reply(remote, wish).reply.outcome == .applied())
                #expect(remote.mirror.radio?.recorded.map(\.state) == [.due])
                #expect(recorder.begun.isEmpty)

                sim.time.pass(.seconds(61))
                try await until(sim) { remote.mirror.radio?.recorded.first?.song != nil }
                sim.time.pass(.seconds(30))
                try await until(sim) { remote.mirror.radio?.recorded.map(\.state) == [.due] }

                #expect(remote.mirror.radio?.recorded.map(\.recording.beginsMs) == [now + 60_000 + 86_400_000])
                #expect(recorder.begun.count == 1)
            }
        }
    }

    @Test func `a recording of each day begins at the same time of the day when clocks are put forward and back`() async throws {
        try await onLoop {
            let first: Milliseconds = 1_700_000_000_000 + 3_600_000
            let hour: Milliseconds = 3_600_000
            // An hour ahead from before the third recording until before the fifth.
            let zone = LocalTime { ms in first + hour * 36..<first + hour * 84 ~= ms ? hour : 0 }
            try await withHub(in: zone) { sim, remote, recorder in
                @Loop func wallMs() -> Milliseconds { 1_700_000_000_000 + Milliseconds(sim.time.nowUs) }
                _ = try await reply(remote, Commands.RadioRecord(uri: Self.harbour, atMs: first, lengthMs: 30_000, every: .day))
                var begins = first
                for hours in [24, 23, 24, 25, 24] {
                    sim.time.pass(.milliseconds(begins - wallMs() + 1_000))
                    try await until(sim) { remote.mirror.radio?.recorded.first?.song != nil }
                    sim.time.pass(.seconds(30))
                    begins += hour * hours
                    try await until(sim) { remote.mirror.radio?.recorded.map(\.state) == [.due] }
                    #expect(remote.mirror.radio?.recorded.first?.recording.beginsMs == begins)
                    #expect(remote.mirror.radio?.recorded.first?.recording.endsMs == begins + 30_000)
                }
                #expect(recorder.begun.count == 5)
            }
        }
    }

    @Test func `a station that cannot be heard is tried again, and the reason is shown`() async throws {
        try await onLoop {
            try await withHub { sim, remote, recorder in
                recorder.fail(SourceFault(.quota, "The disk is full."))
                _ = try await reply(remote, Commands.RadioRecord(uri: Self.harbour))
                try await until(sim) { remote.mirror.radio?.recorded.first?.sentence == "The disk is full." }
                recorder.fail(nil)
                sim.time.pass(.seconds(11))
                try await until(sim) {
                    remote.mirror.radio?.recorded.first?.state == .on && remote.mirror.radio?.recorded.first?.song != nil
                }
                #expect(recorder.begun.count == 2)
            }
        }
    }
}
