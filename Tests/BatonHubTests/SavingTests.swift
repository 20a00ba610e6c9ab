/// A title of a station that is being saved when the hub is killed: at whichever step, the next start brings it to one file, or takes it
/// back.
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

@Suite struct `A title that is saved survives the hub` {
    private typealias Rewound = `A station is gone back in`

    enum Step: CaseIterable, Sendable { case asked, begun, written, finished }

    /// Saves a title, and at its first time stops at a step until the test is over, as a hub that is killed there.
    private final class Recorder: StationRecording {
        private struct State {
            var step: Step?
            var stopped: CheckedContinuation<Void, Never>?
        }

        private let state: Mutex<State>

        init(stopsAt step: Step) { state = Mutex(State(step: step)) }

        var hasStopped: Bool { state.withLock { $0.stopped != nil } }

        func release() { state.withLock { $0.stopped.take() }?.resume() }

        func record(
            _ station: HeardStation, into folder: any RecordingFolder, note: @escaping @Sendable (String) async -> Void
        ) async throws(SourceFault) {}

        func save(
            _ title: PastTitle, in station: StationWithPast, picture: [UInt8]?, into folder: any RecordingFolder
        ) async throws(SourceFault) {
            try await pass(.asked)
            let file = try folder.begin(RecordedSong(station: station.title, title: title.text, suffix: "mp3"))
            try await pass(.begun)
            try file.append([1, 2, 3])
            try await pass(.written)
            try file.finish(isWhole: true)
            try await pass(.finished)
        }

        private func pass(_ step: Step) async throws(SourceFault) {
            let isHere = state.withLock { state in
                guard state.step == step else { return false }
                state.step = nil
                return true
            }
            guard isHere else { return }
            await withCheckedContinuation { stopped in state.withLock { $0.stopped = stopped } }
            throw .cancelled
        }
    }

    private func files(in folder: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.contains(".mp3") }.map { String($0.split(separator: "/").last ?? "") }.sorted()
    }

    /// The files, and whether the title counts as saved, after a hub was killed at a step and another one was started.
    @Loop
    private func outcome(killedAt step: Step, hasPast: Bool) async throws -> (files: [String], isSaved: Bool) {
        let folder = NSTemporaryDirectory() + "baton-saving-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try SourceStore(folder: folder)
        defer { store.close() }
        _ = try store.add([Station(title: "Harbour FM", url: "http://a.example/harbour")], isOwn: true)
        let sim = try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: []))
        let recorder = Recorder(stopsAt: step)
        defer { recorder.release() }
        let recordings = "\(folder)/Recordings"
        @Loop func open(hasPast: Bool) throws -> TestRemote {
            sim.hub.open(Rewound.Shelf(stations: .init(storage: store), hasPast: hasPast))
            sim.hub.open(RecordingParts(storage: store, folder: RecordingStore(folder: recordings), recorder: recorder, zone: .utc))
            return try sim.remote()
        }

        let title = SavedTitle(Rewound.harbour, Rewound.number + 2500)
        let save = Commands.RadioSave(title.number, uri: title.uri)
        let remote = try open(hasPast: true)
        // It waits for the plan of recordings, which is read from the disk.
        #expect(await remote.awaitReply(remote.send(save, key: "saving-1"))?.reply.outcome == .applied())
        try await until(sim) { recorder.hasStopped }

        try sim.restart()
        let again = try open(hasPast: hasPast)
        try await until(sim) { (try? store.unfinishedTitles()) == [] }
        let isSaved = try store.savedTitles() == [title]
        if hasPast { #expect(await again.awaitReply(again.send(save, key: "saving-2"))?.reply.outcome == .noop(why: .same)) }
        return (files(in: recordings), isSaved)
    }

    /// BT-RAD-033
    @Test(arguments: Step.allCases)
    func `a title is one file, wherever the hub was killed`(step: Step) async throws {
        try await onLoop {
            let (files, isSaved) = try await outcome(killedAt: step, hasPast: true)
            #expect(files == ["Bert - Zwei.mp3"] && isSaved)
        }
    }

    /// BT-RAD-033
    @Test(arguments: zip(Step.allCases, [[], [], ["Bert - Zwei (part).mp3"], ["Bert - Zwei.mp3"]]))
    func `a title whose sound is gone after a kill is what was written of it, and without that is not saved`(
        step: Step, expected: [String]
    ) async throws {
        try await onLoop {
            let (files, isSaved) = try await outcome(killedAt: step, hasPast: false)
            #expect(files == expected && isSaved == !expected.isEmpty)
        }
    }
}
