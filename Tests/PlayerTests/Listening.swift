import BatonCore
import BatonSeams
import Foundation
import Sockets
import Testing

@testable import Player

/// A player on the test loop, and all it reports.
@Loop
final class Listening {
    private(set) var reports: [PlayerReport] = []
    private(set) var player: MPVPlayer!

    /// The hub's clock.
    var nowUs: Int64 { loop.nowUs }
    private let loop: EventLoop

    init(_ audio: AudioChoice, idleLimit: Duration, loop: EventLoop) {
        self.loop = loop
        player = MPVPlayer(reactor: loop, audio: audio, idleLimit: idleLimit) { [weak self] in
            self?.reports.append($0)
        }
    }

    /// Waits for a report, with a limit.
    @discardableResult
    func wait(
        _ limit: Duration = .seconds(20), _ what: String = #function, in place: SourceLocation = #_sourceLocation,
        until isSo: @Loop ([PlayerReport]) -> Bool
    ) async throws -> [PlayerReport] {
        let end = ContinuousClock.now + limit
        while !isSo(reports) {
            guard ContinuousClock.now < end else {
                Issue.record("Waited in vain. Reported: \(reports.map { "\($0)" }.joined(separator: "\n"))", sourceLocation: place)
                throw WaitedInVain()
            }
            try await Task.sleep(for: .milliseconds(2))
        }
        return reports
    }

    var lines: [(entry: EntryID, positionMs: Int, atUs: Int64, rate: Int)] {
        reports.compactMap { if case .line(let entry, let ms, let at, let rate) = $0 { (entry, ms, at, rate) } else { nil } }
    }

    var failure: (entry: EntryID, reason: String)? {
        reports.lazy.compactMap { if case .failed(let entry, let reason) = $0 { (entry, reason) } else { nil } }.first
    }

    /// Began, ended and failed, in their order.
    var story: [String] {
        reports.compactMap {
            switch $0 {
            case .began(let entry): "began \(entry)"
            case .ended(let entry): "ended \(entry)"
            case .failed(let entry, _): "failed \(entry)"
            default: nil
            }
        }
    }
}

struct WaitedInVain: Error {}

/// A player for the length of one test; `close` is awaited whatever happens.
func withPlayer(
    _ audio: AudioChoice = .null, idleLimit: Duration = .seconds(600), _ body: @Loop (Listening) async throws -> Void
) async throws {
    // The loop's thread must run before anything waits for it.
    let loop = try await EventLoop.background()
    try await onLoop(Listening(audio, idleLimit: idleLimit, loop: loop), body)
}

@Loop
private func onLoop(_ listening: Listening, _ body: @Loop (Listening) async throws -> Void) async throws {
    do {
        try await body(listening)
    } catch {
        await listening.player.close()
        throw error
    }
    await listening.player.close()
}

let q1 = EntryID(1)
let q2 = EntryID(2)
let q3 = EntryID(3)

extension Playable {
    static func file(_ url: URL) -> Playable { Playable(.file(url.path)) }
}

/// A folder of real files, made by sox and ffmpeg, and gone after the test.
final class Studio: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("baton-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// A sine of 440 Hz at half amplitude.
    func sine(_ name: String, seconds: Double, rate: Int = 44100) throws -> URL {
        try run([
            "sox", "-D", "-n", "-r", "\(rate)", "-b", "16", "-c", "2", file(name).path, "synth", "\(seconds)", "sine", "440", "vol", "0.5",
        ])
        return file(name)
    }

    func write(_ text: String, to name: String) throws -> URL {
        try Data(text.utf8).write(to: file(name))
        return file(name)
    }

    func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(arguments.joined(separator: " "))")
    }
}
