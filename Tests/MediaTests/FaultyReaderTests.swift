import BatonSeams
import Foundation
import Harness
import Testing

@testable import Media

/// Readers that die, hang and lie: the file they were at is named, every other one is answered.
@Suite(.serialized) struct FaultyReaderTests {
    @Test(arguments: ["dies", "hangs", "dribbles", "boasts", "babbles", "pours", "flatters"])
    func `one bad file costs one answer`(manner: String) {
        let pool = Readers.faulty(manner, readers: 2, patienceMs: 700)
        let paths = (0..<150).map { $0 == 40 || $0 == 41 ? "/bad\($0).mp3" : "/\($0).mp3" }

        let results = pool.read(paths)

        for (path, result) in zip(paths, results) {
            if path.contains("bad") {
                let sentence = result.fault?.sentence ?? ""
                let reason = manner == "hangs" ? "took too long" : manner == "dribbles" || manner == "pours" ? path : "broke"
                #expect(sentence.contains(path) && sentence.contains(reason), "\(sentence)")
            } else {
                #expect(result.fault?.sentence == "\(path) is empty.")
            }
        }
    }

    @Test func `a reader that says more than it was asked is not asked again`() {
        let pool = Readers.faulty("repeats")

        for _ in 0..<3 { #expect(pool.read(["/a", "/b"]).allSatisfy { $0.fault?.sentence.hasSuffix("is empty.") == true }) }
    }

    @Test func `a reader that never begins is no reason to wait`() {
        let gone = Readers.faulty("gone").read(["/a", "/b"])
        let absent = ReaderPool(.found(ReaderProgram("/nowhere/baton-reader")), opening: Readers.something, log: .silent).read(["/a", "/b"])

        #expect(gone.allSatisfy { $0.fault?.sentence.contains("broke") == true })
        #expect(absent.allSatisfy { $0.fault != nil })
    }

    @Test func `without the program every answer says what is missing`() {
        let pool = ReaderPool(.missing("The program baton-reader is missing."), opening: Readers.something, log: .silent)

        #expect(pool.read(["/a", "/b"]).map { $0.fault?.sentence } == Array(repeating: "The program baton-reader is missing.", count: 2))
    }

    @Test func `readers end with their pool and leave nothing behind`() async throws {
        try await MediaFolder.with { folder in
            let path = try folder.tone("a.flac")
            do {
                let pool = Readers.pool()
                _ = pool.read([path])
                #expect(children().contains { $0.contains("baton-reader") })
            }
            let limit = ContinuousClock.now + .seconds(5)
            while children().contains(where: { $0.contains("baton-reader") }), ContinuousClock.now < limit {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(!children().contains { $0.contains("baton-reader") })
        }
    }

    /// The machine is busy, and nothing is wrong with the file.
    @Test func `a reader is waited for while it gets no processor`() async throws {
        try await MediaFolder.with { folder in
            let path = try folder.tone("a.flac")
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let processor = try #require(status.firstMatch(of: /Cpus_allowed_list:\s+(\d+)/).flatMap { Int($0.1) })
            let busy = try (1...2).map { _ in
                try Child("/usr/bin/taskset", ["-c", "\(processor)", "/bin/sh", "-c", "ulimit -t 60; while :; do :; done"])
            }
            defer { for one in busy { one.signal(SIGKILL) } }

            // The reader needs several times as long for its first answer.
            let result = Readers.starved(on: processor, patienceMs: 1_200).read([path])[0]

            #expect(result.fault == nil)
        }
    }

    @Test func `a reader may read and nothing else`() async throws {
        try await MediaFolder.with { folder in
            let path = try folder.tone("a.flac")
            let pool = Readers.pool(readers: 1)
            _ = pool.read([path])
            let reader = try #require(pids().first { name(of: $0)?.contains("baton-reader") == true })

            let status = try String(contentsOfFile: "/proc/\(reader)/status", encoding: .utf8)
            let limits = try String(contentsOfFile: "/proc/\(reader)/limits", encoding: .utf8)
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(reader)/fd")

            #expect(status.contains("NoNewPrivs:\t1\n") && status.contains("Seccomp:\t2\n"))
            #expect(limits.contains(/Max file size +0 +0/) && limits.contains(/Max core file size +0 +0/))
            #expect(!limits.contains(/Max address space +unlimited/))
            #expect(Set(open) == ["0", "1", "2"])
            withExtendedLifetime(pool) {}
        }
    }

    /// The reader tries out by itself what it can still do once it is confined.
    @Test func `a reader can open no file, make none, reach no network and start no program`() async throws {
        try await MediaFolder.with { folder in
            let out = folder.path("attempts")
            // Through a pipe, since a reader writes no file.
            let words = ["-c", "\"$0\" --attempt \"$1\" | cat", Readers.program, folder.root]
            let code = try Child("/bin/bash", words, out: out).waitUntilExit()
            let said = String(decoding: try folder.bytes("attempts"), as: UTF8.self).split(separator: "\n")

            #expect(code == 0 && said.count >= 8, "\(said)")
            for line in said { #expect(line.hasSuffix(": Operation not permitted"), "\(line)") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root) == ["attempts"])
        }
    }

    @Test func `a file that cannot be opened costs no reader, and the others of its share are read`() async throws {
        try await MediaFolder.with { folder in
            let paths = try (0..<70).map { number in
                number % 3 == 0 ? folder.path("gone\(number).flac") : try folder.file("\(number).flac", [UInt8]("text".utf8))
            }
            let results = Readers.pool(readers: 2).read(paths)
            for (number, result) in results.enumerated() {
                let sentence = result.fault?.sentence ?? ""
                #expect(sentence.contains(paths[number]), "\(sentence)")
                #expect(sentence.contains("There is no") == (number % 3 == 0), "\(sentence)")
            }
        }
    }

    /// The names of this process's children, including zombies.
    private func children() -> [String] { pids().compactMap(name(of:)) }

    private func name(of pid: String) -> String? { try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8) }

    private func pids() -> [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.flatMap { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/children", encoding: .utf8))?.split(separator: " ").map(String.init) ?? []
        }
    }
}
