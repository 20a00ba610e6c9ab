/// Programs that work for the hub: what they read and write, how they end, and what a confined one cannot reach.
import BatonSeams
import Foundation
import Harness
import Processes
import Testing

@Suite struct ProgramsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func call(_ script: String, input: String = "", isConfined: Bool = false) -> ProgramCall {
        ProgramCall(
            "/bin/sh", ["-c", script], input: Array(input.utf8), folder: folder.path,
            environment: ["PATH": "/usr/bin:/bin", "BATON_JOB_DIR": folder.path], isConfined: isConfined)
    }

    private func run(_ call: ProgramCall, within limits: ProgramLimits = ProgramLimits()) async throws -> (ProgramEnd, [String]) {
        try await Programs(within: limits).run(call, noting: [String]()) { lines, line throws(SourceFault) in
            lines.append(String(decoding: line, as: UTF8.self))
        }
    }

    @Test func `it reads its request, and its lines are passed on in order`() async throws {
        let (end, lines) = try await run(call("cat; echo one; printf two; pwd > here; exit 3", input: "request\n"))
        #expect(end == .exited(3) && lines == ["request", "one", "two"])
        #expect(try String(contentsOfFile: folder.path + "/here", encoding: .utf8).contains(folder.path))
    }

    /// The call itself does not wait for the program's end.
    @Test func `one that is cancelled is asked to end, and one that does not is killed with what it has started`() async throws {
        for (script, isAskedOnly) in [
            ("trap 'echo ended > ended; exit 0' TERM; echo $$; while :; do sleep 0.05; done", true),
            ("trap '' TERM; sleep 1000 & echo $$; wait; wait", false),
        ] {
            let (pids, pid) = AsyncStream.makeStream(of: pid_t.self)
            let task = Task { [call = call(script)] in
                try await Programs().run(call, noting: 0) { _, line throws(SourceFault) in
                    if let number = pid_t(String(decoding: line, as: UTF8.self)) { pid.yield(number) }
                }
            }
            let started = try #require(await pids.first { _ in true })
            task.cancel()
            _ = await task.result
            // No process of its group is left.
            try await until { kill(-started, 0) != 0 && errno == ESRCH }
            if isAskedOnly { #expect(FileManager.default.fileExists(atPath: folder.path + "/ended")) }
        }
    }

    @Test func `one that writes too much is ended with a sentence`() async throws {
        await #expect(throws: SourceFault.self) { _ = try await run(call("yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | tr -d '\\n'")) }
        await #expect(throws: SourceFault.self) { _ = try await run(call("yes")) }
    }

    @Test func `a quiet one gets the processor after others, and what it starts does too`() async throws {
        // The 19th word is the nice value, and the 41st the policy of the kernel's scheduler: 0 is the usual one, 3 is `SCHED_BATCH`.
        var call = call("awk '{ print $19, $41 }' /proc/self/stat")
        #expect(try await run(call).1 != ["10 3"])
        call.isQuiet = true
        #expect(try await run(call).1 == ["10 3"])
    }

    @Test func `what is no program is named`() async throws {
        var missing = call("")
        missing.path = "/no/such/program"
        let fault = await #expect(throws: SourceFault.self) { _ = try await run(missing) }
        #expect(fault?.sentence.contains("/no/such/program") == true)
    }

    @Test(.enabled(if: Bubblewrap.isHere)) func `a confined one has its folder, and neither network nor files of people`() async throws {
        let secret = try TemporaryFolder()
        try Data("secret".utf8).write(to: URL(fileURLWithPath: secret.path + "/secret"))
        let script = """
            echo made > sound.flac && echo wrote
            cat \(secret.path)/secret 2>/dev/null && echo read
            ls /etc/passwd /root/. /home/. 2>/dev/null | grep -q . && echo looked
            echo x > /usr/x 2>/dev/null && echo escaped
            cat /proc/net/dev | grep -v lo: | grep -q : && echo network
            env | grep -c SECRET
            """
        let (end, lines) = try await run(call(script, isConfined: true))
        #expect(lines == ["wrote", "0"] && end == .exited(1))
        #expect(FileManager.default.fileExists(atPath: folder.path + "/sound.flac"))
    }
}
