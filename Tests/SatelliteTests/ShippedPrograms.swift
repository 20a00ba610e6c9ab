import Foundation
import Harness

/// The shipped programs in a folder of their own, with the built-in album to play.
final class ShippedPrograms {
    let folder: URL
    private var running: [Child] = []

    var hub: String { folder.appending(path: "hub.sock").path }

    /// Lends a stage, and ends what it started.
    static func with(_ body: (ShippedPrograms) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bs-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let programs = ShippedPrograms(folder)
        defer { programs.clear() }
        try await body(programs)
    }

    private init(_ folder: URL) { self.folder = folder }

    private func clear() {
        for child in running {
            child.signal(SIGKILL)
            child.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Beside the tests, where the package's programs are built.
    private static let built = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()

    private static func program(_ name: String) -> URL {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let places = [built, root.appending(path: ".build/debug"), root.appending(path: ".build/release")]
        return places.map { $0.appending(path: name) }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
            ?? URL(filePath: name)
    }

    private var environment: [String: String] {
        [
            "HOME": folder.path, "XDG_STATE_HOME": folder.appending(path: "state").path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "BATON_SOCKET": hub,
        ]
    }

    @discardableResult
    func start(_ program: URL, _ arguments: [String], out: String) throws -> Child {
        let child = try Child(
            program.path, arguments, environment: environment, folder: folder.path, out: folder.appending(path: "\(out).out").path,
            err: folder.appending(path: "\(out).err").path)
        running.append(child)
        return child
    }

    func text(_ name: String) -> String {
        (try? String(decoding: Data(contentsOf: folder.appending(path: name)), as: UTF8.self)) ?? ""
    }

    /// A hub that is ready to be spoken to, and has made its album.
    func startHub() async throws -> Child {
        let process = try start(
            Self.program("batond"),
            [
                "--audio", "null", "--listen", "127.0.0.1:0", "--no-discovery", "--data", folder.appending(path: "data").path, "--socket",
                hub,
            ],
            out: "hub")
        try await until("the hub listens") { FileManager.default.fileExists(atPath: hub) }
        try await until("the hub offers its album", every: Self.pause) { try await baton("queue").out.contains("1\t") }
        return process
    }

    /// A path to the hub that breaks once, after a command was carried out or, when a hub is to be killed
    /// with it, at the moment that is named.
    func startCutting(_ moment: String = "answer", killing hub: Child? = nil) async throws -> String {
        try await startPath("cutting", hub.map { [moment, "\($0.pid)"] } ?? [])
    }

    /// A path on which two satellites ask at the same time.
    func startMeeting() async throws -> String { try await startPath("meeting", []) }

    private func startPath(_ name: String, _ words: [String]) async throws -> String {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "\(name).py")
        let path = folder.appending(path: "\(name).sock").path
        try start(URL(filePath: "/usr/bin/python3"), [script.path, path, hub] + words, out: name)
        try await until("the path is there") { text("\(name).out").contains("ready") }
        return path
    }

    /// A satellite that has been started and stands still until it is told to go on.
    func startBatonAsleep(_ words: String..., out: String) async throws -> Child {
        let script = "kill -STOP $$; exec '\(Self.program("baton").path)' \(words.joined(separator: " "))"
        let process = try start(URL(filePath: "/bin/sh"), ["-c", script], out: out)
        let stat = "/proc/\(process.pid)/stat"
        try await until("it stands still") { (try? String(contentsOfFile: stat, encoding: .utf8))?.contains(") T ") == true }
        return process
    }

    func startBaton(_ words: String..., out: String) throws -> Child {
        try start(Self.program("baton"), words, out: out)
    }

    struct Ended {
        let code: Int32
        let out: String
        let err: String
    }

    private var count = 0

    func baton(_ words: String...) async throws -> Ended {
        count += 1
        let name = "baton-\(count)"
        let process = try start(Self.program("baton"), words, out: name)
        try await until("the end of baton \(words.joined(separator: " "))") { !process.isRunning }
        return Ended(code: process.code ?? -1, out: text("\(name).out"), err: text("\(name).err"))
    }

    struct TooLate: Error { let what: String }

    /// Between two starts of a program. One after the other without a pause takes the processor from what they wait for.
    static let pause = Duration.milliseconds(200)

    func until(_ what: String, every pause: Duration = .milliseconds(5), _ condition: () async throws -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(20)
        while try await !condition() {
            if ContinuousClock.now > limit { throw TooLate(what: what) }
            try await Task.sleep(for: pause)
        }
    }
}
