import BatonCore
import BatonProtocol
import BatonWire
import Foundation
import Testing

/// The shipped hub, running in a home of its own. It plays into nothing unless a test says otherwise.
final class HubProcess: Sendable {
    let home: Home
    let running: Running
    /// `http://127.0.0.1:PORT/`.
    let page: String

    private init(_ running: Running, page: String, in home: Home) {
        self.home = home
        self.running = running
        self.page = page
    }

    static let usual = ["--audio", "null", "--no-discovery", "--no-demo", "--name", "Test hub"]

    /// Starts a hub, lends it, and ends it as a service manager would, which it must survive with code 0.
    @discardableResult
    static func with<Result>(
        _ flags: [String] = [], in home: Home, environment: [String: String] = [:], _ body: (HubProcess) async throws -> Result
    ) async throws -> Result {
        let hub = try await start(flags, in: home, environment: environment)
        defer { hub.running.signal(SIGKILL) }
        do {
            let result = try await body(hub)
            if hub.running.code == nil {
                let ended = try await hub.stop()
                #expect(ended.code == 0, "The hub ended with \(ended.code): \(ended.err)")
            }
            return result
        } catch {
            print("What the hub had said:\n\(hub.running.out)\(hub.running.err)")
            throw error
        }
    }

    /// A hub that answers. The caller ends it.
    static func start(_ flags: [String] = [], in home: Home, environment: [String: String] = [:]) async throws -> HubProcess {
        let running = try launch(flags, in: home, environment: environment)
        do {
            try await eventually("a line with the hub's addresses") {
                try #require(running.code == nil, "The hub did not start: \(running.err)")
                return running.out.contains("  remotes ws://") && running.out.hasSuffix("\n")
            }
        } catch {
            running.signal(SIGKILL)
            throw error
        }
        let pages = running.out.split(separator: "\n").filter { $0.hasPrefix("  page ") }.compactMap { $0.split(separator: " ").last }
        return HubProcess(running, page: String(try #require(pages.first)), in: home)
    }

    /// The process alone, for hubs that are not meant to start.
    static func launch(_ flags: [String], in home: Home, environment: [String: String] = [:]) throws -> Running {
        let places = flags.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
        let music = flags.contains("--music") ? [] : ["--music", home.music.path]
        return try home.start("batond", usual + places + music + flags, environment: environment)
    }

    @discardableResult
    func stop() async throws -> Ended {
        running.signal(SIGTERM)
        return try await running.ended(within: .seconds(60))
    }

    /// Ends it as the power does.
    func kill() async throws {
        running.signal(SIGKILL)
        _ = try await running.ended()
    }

    var port: Int { URL(string: page)?.port ?? 0 }

    // MARK: Asking

    @discardableResult
    func baton(_ words: String...) async throws -> Ended { try await home.run("baton", words) }

    /// The same, where anything but success is a failure of the test.
    @discardableResult
    func tell(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> Ended {
        let ended = try await home.run("baton", words)
        try #require(ended.code == 0, "baton \(words.joined(separator: " ")): \(ended.err)", sourceLocation: sourceLocation)
        return ended
    }

    func status() async throws -> Status { try Status(try await tell("status", "--json").out) }

    /// Asks until the hub is as it should be.
    @discardableResult
    func reaches(_ what: String, within limit: Duration = .seconds(60), _ holds: (Status) -> Bool) async throws -> Status {
        var last: Status?
        do {
            try await eventually(what, within: limit) {
                let status = try await status()
                last = status
                return holds(status)
            }
        } catch let late as TooLate {
            throw TooLate(sentence: "\(late.sentence) The hub said: \(last?.text ?? "nothing")")
        }
        return try #require(last)
    }
}

/// What `baton status --json` says.
struct Status: Sendable {
    let text: String
    let json: JSON

    init(_ text: String) throws {
        self.text = text
        json = try JSON.parse(Array(text.utf8))
    }

    var state: String { json["tl"]?["st"]?.string ?? "" }
    var rate: Int64 { json["tl"]?["rate"]?.int ?? -1 }
    var title: String { json["now"]?["title"]?.string ?? "" }
    var entry: String { json["now"]?["entry"]?.string ?? "" }
    var positionMs: Milliseconds { Milliseconds(json["positionMs"]?.int ?? -1) }
    var level: Int64 { json["vol"]?["level"]?.int ?? -1 }
    var isMuted: Bool { json["vol"]?["mute"]?.bool ?? false }
    var length: Int64 { json["queue"]?["len"]?.int ?? -1 }
    var place: Int64? { json["queue"]?["idx"]?.int }
    var problems: [String] { json["hub"]?["problems"]?.array?.compactMap { $0["msg"]?.string } ?? [] }
}
