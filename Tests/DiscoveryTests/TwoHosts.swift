import BatonSeams
import Foundation
import Harness
import Testing

@testable import Discovery

/// Two hosts on one cable, each with an avahi-daemon of its own, for as long as a body runs.
///
/// The daemons live in network namespaces and this process does not: it speaks to one host's system
/// bus, whose socket has a path. libdbus reads the bus address of its environment once in a process,
/// so the address names a link, and the link names the bus that is meant.
@Loop
final class TwoHosts {
    enum Name: String { case a = "A", b = "B" }

    /// Namespaces need root. Where a skipped test would be a failure, the tests run and say what is missing.
    nonisolated static let mayBeMade =
        ProcessInfo.processInfo.environment["BATON_NO_SKIP"] == "1" || getuid() == 0 && namespacesMayBeMade

    private nonisolated static var namespacesMayBeMade: Bool {
        (try? outcome(of: ["/usr/bin/unshare", "-n", "-m", "-u", "true"])) != nil
    }

    private(set) var addresses: [String: String] = [:]
    private let folder = "/tmp/baton-hosts-\(getpid())-\(UInt32.random(in: 0...9999))"

    private static let link: String = {
        let path = "/tmp/baton-bus-\(getpid())"
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(path)", 1)
        return path
    }()
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "EndToEndTests/Support/two-hosts.sh").path

    static func with(_ body: (TwoHosts) async throws -> Void) async throws {
        let hosts = TwoHosts()
        try FileManager.default.createDirectory(atPath: hosts.folder, withIntermediateDirectories: true)
        let said = try await hosts.script("up", "\(getpid())")
        for line in said.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            hosts.addresses[words[0]] = words[1]
        }
        hosts.speak(through: .a)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(hosts)) } catch { outcome = .failure(error) }
        unlink(link)
        try await hosts.script("down")
        try? FileManager.default.removeItem(atPath: hosts.folder)
        try outcome.get()
    }

    /// Which host's bus the clients that are made from now on will reach.
    func speak(through host: Name) {
        beWithoutABus()
        symlink("\(folder)/\(host.rawValue)/run/dbus/system_bus_socket", Self.link)
    }

    /// Speaks through the other host once these are published on the first: one whose connection is still being made would be made anew
    /// through the other bus.
    func leave(_ advertisers: [Advertiser]) async throws {
        try await eventually("published") { advertisers.allSatisfy { if case .published = $0.state { true } else { false } } }
        speak(through: .b)
    }

    func beWithoutABus() { unlink(Self.link) }

    func killAvahi(on host: Name) async throws { try await script("avahi", host.rawValue, "kill") }
    func startAvahi(on host: Name) async throws { try await script("avahi", host.rawValue, "start") }

    /// It hangs: it is there, and answers nothing.
    func stopAvahi(on host: Name) async throws { try await script("avahi", host.rawValue, "stop") }
    func goOnWithAvahi(on host: Name) async throws { try await script("avahi", host.rawValue, "go") }

    /// What a command prints on a host.
    func run(on host: Name, _ command: String...) async throws -> String {
        try await output(of: ["/usr/bin/timeout", "120", Self.script, "run", folder, host.rawValue] + command)
    }

    @discardableResult
    private func script(_ verb: String, _ words: String...) async throws -> String {
        try await output(of: [Self.script, verb, folder] + words)
    }
}

/// Runs a program away from the loop, and gives back what it prints.
func output(of command: [String]) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result { try outcome(of: command) })
        }
    }
}

private func outcome(of command: [String]) throws -> String {
    let outcome = try Outcome.of(command)
    guard outcome.code == 0 else { throw Failed(command: command, status: outcome.code, said: outcome.err) }
    return outcome.out
}

struct Failed: Error {
    let command: [String]
    let status: Int32
    let said: String
}

/// Waits for a condition, with a limit. `what` is read when that has passed, so it can tell how things stand then.
@Loop
func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
    _ holds: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !holds() {
        try #require(ContinuousClock.now < deadline, "not within \(limit): \(what())", sourceLocation: sourceLocation)
        try await Task.sleep(for: .milliseconds(20))
    }
}
