import BatonSeams
import Foundation

/// A session bus of a test's own: a dbus-daemon on a socket in a temporary folder.
package final class PrivateBus: Sendable {
    private let folder: TemporaryFolder
    private let daemon: Child
    package var address: String { "unix:path=\(folder.path)/bus" }

    /// Returns once the bus accepts connections.
    package convenience init() async throws { try await self.init(in: TemporaryFolder()) }

    private init(in folder: TemporaryFolder) async throws {
        self.folder = folder
        daemon = try Self.started(in: folder)
        try await until { FileManager.default.fileExists(atPath: "\(folder.path)/bus") }
    }

    /// A bus at the address of this one, which has ended.
    package func again() async throws -> PrivateBus {
        try? FileManager.default.removeItem(atPath: "\(folder.path)/bus")
        return try await PrivateBus(in: folder)
    }

    deinit { end() }

    package func end() {
        daemon.signal(SIGKILL)
        daemon.waitUntilExit()
    }

    /// Lets the daemon neither read nor write until `goOn`.
    package func stand() { daemon.signal(SIGSTOP) }
    package func goOn() { daemon.signal(SIGCONT) }

    private static func started(in folder: TemporaryFolder) throws -> Child {
        // The policy of a session, without the services that one would start.
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
            <type>session</type><listen>unix:path=\(folder.path)/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
            </busconfig>
            """
        try configuration.write(toFile: "\(folder.path)/session.conf", atomically: true, encoding: .utf8)
        return try Child(
            "/usr/bin/dbus-daemon", ["--config-file=\(folder.path)/session.conf", "--nofork", "--nopidfile"],
            err: "\(folder.path)/errors")
    }

    // MARK: Programs on it

    /// The output of a program that is not ours, with its errors.
    package func run(_ program: String, _ arguments: [String]) async throws -> String {
        let file = "\(folder.path)/said-\(UUID().uuidString)"
        let child = try start(program, arguments, into: file)
        try await until { !child.isRunning }
        return text(file)
    }

    /// Starts a program that goes on; `text` reads what it has printed.
    package func start(_ program: String, _ arguments: [String], into file: String) throws -> Child {
        var environment = ProcessInfo.processInfo.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
        // playerctl looks at both buses, and finds nothing where one is missing.
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = address
        return try Child(program, arguments, environment: environment, out: file, err: file)
    }

    package func text(_ file: String) -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
    package func file(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// Calls a method by dbus-send; arguments as it takes them.
    package func call(_ name: String, _ path: String, _ method: String, _ arguments: String...) async throws -> String {
        try await run("/usr/bin/dbus-send", ["--session", "--print-reply", "--dest=\(name)", path, method] + arguments)
    }
}

/// `until` for conditions on the loop, which goes on meanwhile.
package func onLoopUntil(_ isSo: @Loop () -> Bool) async throws {
    for _ in 0..<12_000 {
        if await isSo() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    throw TooLong()
}
