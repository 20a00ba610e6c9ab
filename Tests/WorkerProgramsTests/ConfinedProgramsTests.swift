/// A program behind bubblewrap that wants more than it may have, as the user who runs the tests. Faults/exploits_worker.py has a hub
/// that is root and one that is not. One at a time, because the system counts the processes of a user and not of a program: what starts
/// as many as it may leaves none to the others.
import BatonSeams
import Foundation
import Harness
import Processes
import Testing

enum Bubblewrap {
    static let isHere = FileManager.default.isExecutableFile(atPath: "/usr/bin/bwrap")
    static let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
}

@Suite(.serialized, .enabled(if: Bubblewrap.isHere, "bubblewrap is missing"), .enabled(if: Bubblewrap.hasPython, "python3 is missing"))
struct ConfinedProgramsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(
        _ program: String, _ script: String, within limits: ProgramLimits = ProgramLimits()
    ) async throws -> (end: ProgramEnd, lines: [String]) {
        let call = ProgramCall(
            program, ["-c", script], input: [], folder: folder.path, environment: ["PATH": "/usr/sbin:/usr/bin:/bin"], isConfined: true)
        let (end, lines) = try await Programs(within: limits).run(call, noting: [String]()) { lines, line throws(SourceFault) in
            lines.append(String(decoding: line, as: UTF8.self))
        }
        return (end, lines)
    }

    private func python(_ script: String, within limits: ProgramLimits = ProgramLimits()) async throws -> (end: ProgramEnd, lines: [String])
    {
        try await run("/usr/bin/python3", script, within: limits)
    }

    @Test func `it has no rights, gets no new ones, and is not root`() async throws {
        let script = """
            [ "$(id -u)" != 0 ] && echo user
            grep -h '^Cap' /proc/self/status | grep -v 0000000000000000
            grep '^NoNewPrivs' /proc/self/status | cut -f 2
            for how in remount,rw remount,bind,rw; do mount -o $how /usr && echo remounted; done 2>/dev/null
            unshare -Urm sh -c 'mount -o remount,rw /usr; mount -o remount,bind,rw /usr; touch /usr/escaped && echo escaped' 2>/dev/null
            touch /usr/escaped 2>/dev/null && echo wrote
            touch /escaped /dev/escaped 2>/dev/null && echo filled
            echo 1 2>/dev/null > /proc/sys/kernel/panic && echo set
            cat /dev/tty 2>/dev/null && echo terminal
            touch here /tmp/here /dev/shm/here && echo worked
            """
        let ended = try await run("/bin/sh", script)
        #expect(ended.lines == ["user", "1", "worked"] && ended.end == .exited(0))
        #expect(!FileManager.default.fileExists(atPath: "/usr/escaped"))
    }

    @Test func `it cannot start as many processes as it likes`() async throws {
        let script = """
            import os, time
            started = 0
            try:
                while started < 2000:
                    if os.fork() == 0: time.sleep(60); os._exit(0)
                    started += 1
            except OSError as error: print(started, error.errno, flush=True)
            """
        let (_, lines) = try await python(script)
        let words = (lines.first ?? "").split(separator: " ").compactMap { Int($0) }
        #expect(words.count == 2 && words[1] == Int(EAGAIN) && (1..<256).contains(words[0]), "\(lines)")
    }

    @Test func `no process of it, and not all of them together, get more memory than is allowed`() async throws {
        var limits = ProgramLimits()
        limits.memoryBytes = 256 << 20
        let alone = try await python("x = bytearray(512 << 20)\nprint('got', flush=True)", within: limits)
        #expect(alone.end == .exited(1) && alone.lines.isEmpty)

        // Each has less than it may have, and shared memory is counted as well.
        let script = """
            import mmap, os, time
            for number in range(8):
                if os.fork() == 0:
                    held = bytearray(b'x') * (48 << 20) if number % 2 else mmap.mmap(-1, 48 << 20)
                    for at in range(0, len(held), 4096): held[at] = 1
                    time.sleep(60)
            time.sleep(60)
            """
        let fault = await #expect(throws: SourceFault.self) { try await python(script, within: limits) }
        #expect(fault?.sentence.contains("256 MiB") == true, "\(fault?.sentence ?? "")")
    }

    @Test func `its time of the processor and its files are bounded`() async throws {
        var limits = ProgramLimits()
        limits.processorSeconds = 1
        #expect(try await run("/bin/sh", "while :; do :; done", within: limits).end == .killed(signal: SIGXCPU))
        limits = ProgramLimits()
        limits.fileBytes = 1 << 20
        let ended = try await run("/bin/sh", "exec head -c 2000000 /dev/zero > large", within: limits)
        #expect(ended.end == .killed(signal: SIGXFSZ))
        let size = try FileManager.default.attributesOfItem(atPath: folder.path + "/large")[.size] as? Int
        #expect(size == 1 << 20)
    }

    @Test func `plain files are all that it leaves`() async throws {
        let secret = try TemporaryFolder()
        try Data("secret".utf8).write(to: URL(fileURLWithPath: secret.path + "/secret"))
        let script = """
            import os, socket
            open('sound.wav', 'w').write('sound')
            open(b'no text ' + bytes([255]), 'w').close()
            os.symlink('\(secret.path)/secret', 'link.wav'); os.symlink('/', 'all')
            os.mkfifo('pipe.wav'); socket.socket(socket.AF_UNIX).bind('socket.wav')
            open('one.wav', 'w').close(); os.link('one.wav', 'two.wav')
            os.mkdir('folder'); os.symlink('/etc', 'folder/link'); os.mkdir('folder/closed'); open('folder/closed/file', 'w').close()
            os.chmod('folder/closed', 0)
            top = os.getcwd()
            # Deeper than a path can say.
            for _ in range(500):
                os.mkdir('deep-deep'); os.chdir('deep-deep')
            os.chdir(top); os.chmod('sound.wav', 0o4777); os.chmod('.', 0)
            """
        #expect(try await python(script).end == .exited(0))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["sound.wav"])
        let found = try FileManager.default.attributesOfItem(atPath: folder.path + "/sound.wav")
        #expect(found[.posixPermissions] as? Int == 0o600 && found[.ownerAccountID] as? uid_t == geteuid())
        #expect(FileManager.default.fileExists(atPath: secret.path + "/secret"))
    }

    @Test(.enabled(if: geteuid() == 0, "this is not root")) func `a hub that is root does not run what its other user may not read`() throws
    {
        let path = folder.path + "/program"
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o700)
        let fault = #expect(throws: SourceFault.self) { try Programs().check(path, isConfined: true) }
        #expect(fault?.sentence.contains("chmod o+rx \(path)") == true)
        chmod(path, 0o755)
        chmod(folder.path, 0o755)
        try Programs().check(path, isConfined: true)
    }
}
