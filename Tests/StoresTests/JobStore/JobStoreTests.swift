/// Jobs and their files survive a restart, and a command that is sent again finds its job.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Stores
import Testing

@Suite struct JobStoreTests {
    private let data: TemporaryFolder

    init() throws { data = try TemporaryFolder() }

    private func store() throws -> JobStore { try JobStore(folder: data.path) }

    private func job(_ id: String, _ prompt: String = "slow rain") -> GenerationJob {
        GenerationJob(
            id: id, worker: "composer",
            request: GenerationRequest(prompt: prompt, durationS: 60, seed: "18446744073709551615", model: "m", cfg: "6.5", mode: .motif),
            author: "Anna", startedMs: 1_763_740_800_000, room: RoomID("kitchen"), playsWhenReady: true)
    }

    @Test func `a job is there again in every step, with what its worker noted`() throws {
        let first = try store()
        var running = job("job-1")
        _ = running.take(.remembers("1 s j"), atMs: 0)
        _ = running.take(.progress(40, message: "bass"), atMs: 0)
        try first.put(job("job-1"), once: nil)
        try first.put(running, once: nil)
        var ready = job("job-2")
        let piece = GeneratedPiece(
            title: "Slow Rain", durationMs: 61_234, tempo: 72, key: "D minor", recipe: "r", sound: "sound.flac", hasScore: true,
            bytes: 1 << 33)
        _ = ready.take(.finished(piece), atMs: 77)
        try first.put(ready, once: nil)
        first.close()

        let found = try store().jobs()

        #expect(found.map(\.id) == ["job-1", "job-2"])
        #expect(found[0].state == .running && found[0].percent == 40 && found[0].memory == "1 s j" && found[0].request == running.request)
        #expect(found[0].author == "Anna" && found[0].room == RoomID("kitchen") && found[0].playsWhenReady)
        #expect(found[1] == ready)
    }

    @Test func `a command that is sent again finds the job that it made`() throws {
        let store = try store()
        let once = CommandKey(device: "d", key: "k", hash: [1, 2])
        try store.put(job("job-1"), once: once)
        try store.put(job("job-1"), once: once)
        let found = try #require(try store.job(madeBy: once))
        #expect(found.job.id == "job-1" && found.hash == [1, 2])
        #expect(try store.job(madeBy: CommandKey(device: "e", key: "k", hash: [])) == nil)
    }

    @Test func `finished pieces are found by words of their prompt and their title`() throws {
        let store = try store()
        for (number, prompt) in ["slow rain", "fast train", "Rain 100%"].enumerated() {
            var job = job("job-\(number)", prompt)
            if number < 2 { _ = job.take(.finished(GeneratedPiece(title: "Blue", durationMs: 1, sound: "s.wav")), atMs: 0) }
            try store.put(job, once: nil)
        }
        #expect(try store.pieces([], from: 0, limit: 10).map(\.id) == ["job-1", "job-0"])
        #expect(try store.pieces(["RAIN", "blue"], from: 0, limit: 10).map(\.id) == ["job-1", "job-0"])
        #expect(try store.pieces(["slow"], from: 0, limit: 10).map(\.id) == ["job-0"])
        #expect(try store.pieces(["%"], from: 0, limit: 10).isEmpty && store.pieces([], from: 1, limit: 1).map(\.id) == ["job-0"])
    }

    @Test func `what a person has typed is there after a restart, each prompt once, and others do not see it`() throws {
        let first = try store()
        try first.put(PromptSettings(durationS: 60, seed: "18446744073709551615"), of: "Anna")
        for number in 0..<PersonPrompts.mostHistory + 5 {
            try first.note(UsedPrompt("prompt \(number)", atMs: Milliseconds(number)), of: "Anna")
        }
        try first.note(UsedPrompt("prompt 50", atMs: 999), of: "Anna")
        #expect(try first.put(PromptPreset("Sunday", "waltz"), of: "Anna") && !first.put(PromptPreset("Sunday", "waltz"), of: "Anna"))
        #expect(try first.put(PromptPreset("Sunday", "folk"), of: "Anna"))
        first.close()

        let store = try store()
        let found = try store.prompts(of: "Anna")
        #expect(found.settings == PromptSettings(durationS: 60, seed: "18446744073709551615"))
        #expect(found.history.count == PersonPrompts.mostHistory && found.history.first == UsedPrompt("prompt 50", atMs: 999))
        #expect(Set(found.history.map(\.text)).count == found.history.count && found.presets == [PromptPreset("Sunday", "folk")])
        #expect(try store.prompts(of: "Ben") == PersonPrompts(presets: []))
        #expect(try store.forget("prompt 50", of: "Anna") && store.forget(nil, of: "Anna") && !store.forget(nil, of: "Anna"))
        #expect(try store.removePreset("Sunday", of: "Anna") && !store.removePreset("Sunday", of: "Anna"))
        try store.put(PromptSettings(), of: "Anna")
        #expect(try store.prompts(of: "Anna") == PersonPrompts(presets: []))
    }

    @Test func `a folder is emptied for a fresh start, and only plain files of it are given out`() throws {
        let store = try store()
        let folder = try store.folder(of: "job-1", isFresh: true)
        try Data("fLaC".utf8).write(to: URL(fileURLWithPath: folder + "/sound.flac"))
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "/etc/passwd")
        #expect(try store.folder(of: "job-1", isFresh: false) == folder)
        #expect(try store.file("sound.flac", of: "job-1").content.read(at: 0, count: 4) == Array("fLaC".utf8))
        for name in ["link", "../job-1/sound.flac", "none"] {
            #expect(throws: SourceFault.self) { try store.file(name, of: "job-1") }
        }
        try Data("fL".utf8).write(to: URL(fileURLWithPath: folder + "/.sound.flac.77.part"))
        store.removeUnfinished(of: "job-1")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["link", "sound.flac"])
        _ = try store.folder(of: "job-1", isFresh: true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        store.removeFiles(of: "job-1")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
