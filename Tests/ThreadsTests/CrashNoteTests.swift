import Glibc
import Testing
import Threads

/// Crashes are noted in a file that was opened before, on whichever thread of ours they come.
@Suite struct CrashNoteTests {
    /// A child of the test crashes. It does not see variables of the test, so the file has a name that follows from the parent.
    private static func path(_ name: String, of process: pid_t) -> String { "/tmp/baton-crash-\(process)-\(name)" }

    private static func begin(_ name: String) {
        // A child that does not end would never be noticed.
        alarm(120)
        // Without the backtraces of Swift, which take long.
        for number in [SIGSEGV, SIGILL, SIGTRAP] { signal(number, SIG_DFL) }
        CrashNotes.begin(in: open(path(name, of: getppid()), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600))
    }

    private static func words(_ name: String) -> [String] {
        let path = path(name, of: getpid())
        defer { unlink(path) }
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self).split { $0 == " " || $0 == "\n" }.map(String.init)
    }

    /// SIGSEGV, SIGABRT and others end the child as they would without a note.
    @Test func `a stack that a recursion has filled on a thread of a pool is noted`() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            Self.begin("stack")
            let queue = WorkQueue(WorkQueue.Limits(threads: 1))
            _ = queue.add { print(deep(1)) }
            while true { pause() }
        }
        let words = Self.words("stack")
        #expect(words.count == 3 && words.first == "SIGSEGV")
        #expect(words.count == 3 && (Int(words[1]) ?? .max) < 60_000)
    }

    @Test func `a mistake that Swift finds is noted`() async {
        await #expect(processExitsWith: .failure) {
            Self.begin("trap")
            let none = [Int](repeating: 0, count: Int(getpid()) & 0)
            OwnThread.start { print(none[1]) }
            while true { pause() }
        }
        #expect(["SIGILL", "SIGTRAP"].contains(Self.words("trap").first))
    }

    @Test func `an abort is noted, and so is a signal that is sent`() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            Self.begin("abort")
            abort()
        }
        await #expect(processExitsWith: .signal(SIGBUS)) {
            Self.begin("sent")
            kill(getpid(), SIGBUS)
            while true { pause() }
        }
        #expect(Self.words("abort").first == "SIGABRT")
        #expect(Self.words("sent").first == "SIGBUS")
    }

    @Test func `a program that cannot write its note ends all the same`() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            CrashNotes.begin(in: -1)
            raise(SIGSEGV)
        }
    }
}

@inline(never) @_optimize(none)
private func deep(_ depth: Int) -> Int { depth == 0 ? 0 : deep(depth + 1) + depth }
