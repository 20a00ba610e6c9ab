/// A folder that is taken, a disk that is full, a file that is broken: one sentence each, nothing lost.
import BatonCore
import BatonSeams
import Foundation
import Glibc
import Harness
import SQLite
import Synchronization
import Testing

@testable import Stores

struct TroubleTests {
    @Test func `a second hub is told which process holds the folder`() throws {
        try withFolder { folder in
            try withStore(in: folder) { _ in
                let fault = fault { try withStore(in: folder) { _ in } }

                #expect(fault?.code == .busy)
                #expect(fault?.sentence.contains("process \(getpid())") == true)
                #expect(fault?.sentence.contains(folder) == true)
            }
            try withStore(in: folder) { _ in }
        }
    }

    @Test func `a lock that outlives its hub for a moment is waited for`() throws {
        try withFolder { folder in
            let path = folder + "/lock"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // No process has a higher number than 4,194,304.
            try Data("4194305\n".utf8).write(to: URL(fileURLWithPath: path))
            let started = open(path, O_RDWR | O_CLOEXEC)
            #expect(flock(started, LOCK_EX | LOCK_NB) == 0)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) { close(started) }

            #expect(fault { try withStore(in: folder) { _ in } } == nil)
        }
    }

    @Test func `a refusal closes nothing that is somebody else's`() throws {
        try withFolder { folder in
            let holder = try DataFolder(folder)
            let lost = Atomic(0)

            DispatchQueue.concurrentPerform(iterations: 2) { part in
                for _ in 0..<(part == 0 ? 4_000 : 40_000) {
                    guard part == 1 else {
                        _ = try? DataFolder(folder)
                        continue
                    }
                    let mine = open("/dev/null", O_RDONLY | O_CLOEXEC)
                    if fcntl(mine, F_GETFD) < 0 || close(mine) < 0 { lost.add(1, ordering: .relaxed) }
                }
            }

            #expect(lost.load(ordering: .relaxed) == 0)
            holder.release()
        }
    }

    @Test func `a folder that cannot be written is named in a sentence`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)

            let here = asNobody { fault { try withStore(in: folder) { _ in } } }
            let below = asNobody { fault { try withStore(in: folder + "/deeper") { _ in } } }

            for fault in [here, below] {
                #expect(fault?.code == .readOnly)
                #expect(fault?.sentence.contains(folder) == true)
            }
        }
    }

    @Test func `a file where the folder should be is named in a sentence`() throws {
        try withFolder { folder in
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder))

            let fault = fault { try withStore(in: folder) { _ in } }

            #expect(fault?.code == .failed)
            #expect(fault?.sentence.contains("is not a folder") == true)
        }
    }

    @Test func `a file from a newer version is refused and left untouched`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit(.replaced(entries(1...3)))
                try file.database.execute("PRAGMA user_version = 77")
            }
            let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/state.db"))

            let fault = fault { try withStore(in: folder) { _ in } }

            #expect(fault?.code == .newer)
            #expect(fault?.sentence.contains("schema 77") == true)
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/state.db")) == before)
            #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder)) == ["lock", "state.db"])
        }
    }

    @Test(arguments: [Damage.noDatabase, .cutShort, .overwritten, .shorterThanAHeader])
    func `a damaged file is set aside and a fresh one started`(damage: Damage) throws {
        try withFolder { folder in
            try withStore(in: folder) { try $0.commit(.replaced(entries(1...500))) }
            for number in 1...2 {
                try damage.inflict(on: folder + "/state.db")
                let damaged = try Data(contentsOf: URL(fileURLWithPath: folder + "/state.db"))

                try withStore(in: folder, epoch: "fresh-\(number)") { file in
                    #expect(file.health.notices.count == 1)
                    #expect(file.health.notices.first?.contains("state.db.damaged-\(number)") == true)
                    #expect(try file.load() == Recovered(epoch: "fresh-\(number)"))
                    try file.commit(.replaced(entries(1...500)))
                }

                #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/state.db.damaged-\(number)")) == damaged)
            }
        }
    }

    @Test func `an empty file is a new one`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: folder + "/state.db"))

            try withStore(in: folder) { file in
                #expect(file.health == JournalHealth())
                try file.commit(.replaced(entries(1...3)))
            }
        }
    }

    @Test func `a full disk refuses changes, keeps what there was, and is forgotten when there is room`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit(.replaced(entries(1...100)))
                try file.database.execute("PRAGMA max_page_count = 1")  // As many as there are now.

                let fault = fault { try file.commit(.inserted(entries(1_000...3_000), after: nil)) }

                #expect(fault?.code == .full)
                #expect(file.health.trouble == fault)
                #expect(try file.queue() == Array(1...100))

                try file.database.execute("PRAGMA max_page_count = 1000000")
                try file.commit(.inserted(entries(1_000...3_000), after: nil))
                #expect(file.health.trouble == nil)
                #expect(try file.queue() == Array(1_000...3_000) + Array(1...100))
            }
        }
    }

    @Test func `a commit that fails at any step leaves nothing of itself`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit(.replaced(entries(1...300)))
                let answer = StoredAnswer(device: "d", key: "k", hash: 1, reply: reply())
                let change = Change(
                    room: living,
                    queue: file.step(
                        .inserted(entries(9_001...9_003), after: EntryID(100)), .moved([EntryID(200), EntryID(7)], after: nil),
                        .removed([EntryID(50)]), .described(entry(51, "new")), .forgotten([EntryID(50)])), answer: answer, revision: 5_000)
                let before = try file.load()

                var failures = 0
                var steps = 0
                while true {
                    file.database.failAfter(steps: steps)
                    let fault = fault { try file.commit([change]) }
                    file.database.failAfter(steps: nil)
                    guard let fault else { break }
                    try #require(steps < 1_000_000, "\(fault.sentence)")
                    failures += 1
                    steps += 1 + steps / 50
                    let after = try file.load()
                    try #require(after == before, "after \(steps) steps")
                    try #require(try file.answer(device: "d", key: "k", to: .next) == nil)
                }

                #expect(failures > 50)
                let done = try file.load()
                #expect(done.rooms[0].queue.entries.count == 302)
                #expect(done.revisionFloor >= 5_000 && done.nextEntry > 9_003)
                #expect(try file.answer(device: "d", key: "k", to: .next) == answer)
            }
        }
    }

    @Test func `another program's lock is reported and passes`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit(.replaced(entries(1...3)))
                let other = try Database(file.path)
                try other.run("BEGIN IMMEDIATE")

                let fault = fault { try file.commit(.removed([EntryID(1)])) }

                #expect(fault?.code == .busy)
                try other.run("ROLLBACK")
                other.close()
                try file.commit(.removed([EntryID(1)]))
                #expect(try file.queue() == [2, 3])
            }
        }
    }
}

enum Damage: Sendable {
    case noDatabase, cutShort, overwritten, shorterThanAHeader

    func inflict(on path: String) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        switch self {
        case .noDatabase: bytes = Data(repeating: UInt8(ascii: "x"), count: 5_000)
        case .cutShort: bytes = bytes.prefix(bytes.count / 2)
        case .overwritten: bytes.replaceSubrange(4_096..<24_576, with: Data(repeating: 0xA5, count: 20_480))
        case .shorterThanAHeader: bytes = bytes.prefix(50)
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }
}

/// Runs `body` with the file rights of nobody, on this thread only. Where the tests do not run as
/// root, the rights are already small enough.
private func asNobody<Result>(_ body: () -> Result) -> Result {
    typealias SetFileUser = @convention(c) (UInt32) -> Int32
    guard geteuid() == 0, let symbol = dlsym(nil, "setfsuid") else { return body() }
    let setFileUser = unsafeBitCast(symbol, to: SetFileUser.self)
    _ = setFileUser(65_534)
    defer { _ = setFileUser(0) }
    return body()
}
