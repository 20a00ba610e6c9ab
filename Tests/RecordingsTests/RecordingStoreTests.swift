/// Files of recordings: their names, and what is left when the program was killed.
import BatonSeams
import Foundation
import Testing

@testable import Stores

@Suite struct RecordingStoreTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "baton-recordings-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func files(in folder: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.split(separator: "/").count == 3 }.sorted()
    }

    @Test(arguments: [
        ("Anna - Eins", "Anna - Eins"), ("../../etc/passwd", "-..-etc-passwd"), ("..", "Radio"), (".hidden", "hidden"), ("", "Radio"),
        ("AC/DC: \"Live\"?", "AC-DC- -Live--"), ("a\u{0}b\nc", "a-b-c"), ("  end. ", "end"),
    ])
    func `what a station says is made a safe name`(said: String, name: String) {
        #expect(RecordingNames.safe(said) == name)
    }

    @Test func `a long name is cut between characters`() {
        let name = RecordingNames.safe(String(repeating: "ä", count: 4_080))
        #expect(name.utf8.count == 120 && name.allSatisfy { $0 == "ä" })
    }

    @Test func `a song has its name when it is whole, and a part is named so`() throws {
        try withFolder { folder in
            let store = RecordingStore(folder: folder + "/Recordings")
            let song = RecordedSong(station: "Harbour FM", title: "Anna - Eins", suffix: "mp3")
            let below = "Recordings"

            for isWhole in [true, true, false] {
                let file = try store.begin(song)
                try file.append([1, 2])
                try file.append([3])
                try file.finish(isWhole: isWhole)
            }

            let found = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(below)/Harbour FM/\(store.today)").sorted()
            #expect(found == ["Anna - Eins (2).mp3", "Anna - Eins (3) (part).mp3", "Anna - Eins.mp3"])
            let path = "\(folder)/\(below)/Harbour FM/\(store.today)/Anna - Eins.mp3"
            #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
        }
    }

    /// BT-RAD-012
    @Test func `what was written when the program was killed is finished at the next start`() throws {
        try withFolder { folder in
            let store = RecordingStore(folder: folder)
            let file = try store.begin(RecordedSong(station: "Nord", title: "It's Low", suffix: "ogg"))
            try file.append(Array("OggS".utf8))

            #expect(RecordingStore(folder: folder).finishInterrupted(except: []) == 1)

            #expect(files(in: folder) == ["Nord/\(store.today)/It's Low (part).ogg"])
            #expect(RecordingStore(folder: folder).finishInterrupted(except: []) == 0)
        }
    }

    /// BT-RAD-012
    @Test func `a song that was interrupted a moment ago goes on in its file, and no other song does`() throws {
        try withFolder { folder in
            let store = RecordingStore(folder: folder)
            var song = RecordedSong(station: "Nord", title: "It's Low", suffix: "mp3")
            try store.begin(song).finish(isWhole: true)
            try store.begin(song).append([1, 2])
            _ = store.finishInterrupted(except: [])
            song.mayGoOn = true
            var other = song
            other.title = "Another"
            let begun = try store.begin(other)
            let again = try store.begin(song)
            #expect(!begun.goesOn && again.goesOn)
            try again.append([3])
            try again.finish(isWhole: false)
            let path = "\(folder)/Nord/\(store.today)/It's Low (2) (part).mp3"
            #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))

            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -300)], ofItemAtPath: path)
            #expect(try !store.begin(song).goesOn)
            #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
        }
    }

    /// BT-RAD-012
    @Test func `a song that was interrupted before midnight goes on in its file after it`() throws {
        try withFolder { folder in
            let before = RecordingStore(folder: folder)
            let song = RecordedSong(station: "Nord", title: "It's Low", suffix: "mp3", mayGoOn: true)
            try before.begin(song).append([1, 2])
            _ = before.finishInterrupted(except: [])
            let path = "\(folder)/Nord/\(before.today)/It's Low (part).mp3"
            var midnight = DateComponents()
            (midnight.hour, midnight.minute, midnight.second) = (0, 0, 0)
            let next = try #require(Calendar.current.nextDate(after: .now, matching: midnight, matchingPolicy: .nextTime))
            try FileManager.default.setAttributes([.modificationDate: next.addingTimeInterval(-20)], ofItemAtPath: path)

            let after = RecordingStore(folder: folder) { Int(next.timeIntervalSince1970) + 30 }
            #expect(after.today != before.today)
            let file = try after.begin(song)
            #expect(file.goesOn)
            try file.append([3])
            try file.finish(isWhole: false)
            #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3]))
        }
    }

    /// BT-RAD-033
    @Test func `a file of an earlier run is known by its name, finished or removed, and kept out of the others`() throws {
        try withFolder { folder in
            let store = RecordingStore(folder: folder)
            let song = RecordedSong(station: "Nord", title: "It's Low", suffix: "mp3")
            let files = try (0..<4).map { _ in try store.begin(song) }
            let names = files.map(\.name)
            for file in files[..<3] { try file.append([1]) }
            try files[0].finish(isWhole: true)
            #expect(names.map(store.state) == [.finished, .begun, .begun, .begun] && store.state(of: "Nord/none.mp3") == .missing)

            // The last one has no sound, so it is no part of a song.
            #expect(store.finishInterrupted(except: [names[2]]) == 1)
            #expect(names.map(store.state) == [.finished, .finished, .begun, .missing])
            #expect(try store.finish(names[2]) && !store.finish(names[3]))
            store.remove(names[1])
            #expect(names.map(store.state) == [.finished, .finished, .finished, .missing])
        }
    }

    @Test func `a folder that cannot be written is a sentence`() throws {
        try withFolder { folder in
            _ = FileManager.default.createFile(atPath: folder + "/file", contents: Data())
            let store = RecordingStore(folder: folder + "/file")
            #expect(throws: SourceFault.self) { try store.begin(RecordedSong(station: "a", title: "b", suffix: "mp3")) }
        }
    }

    @Test func `the first folder that can be written gets the recordings`() throws {
        try withFolder { folder in
            let store = try #require(RecordingStore.below(["/nowhere", folder]))
            _ = try store.begin(RecordedSong(station: "a", title: "b", suffix: "mp3"))
            #expect(FileManager.default.fileExists(atPath: folder + "/Recordings/a"))
            #expect(RecordingStore.below(["/nowhere"]) == nil)
        }
    }
}
