import BatonCore
import BatonSeams
import Disk
import EventLoop
import Foundation
import Harness
import Testing

@testable import Player

/// A player on the test loop, and all it reports.
@Loop
final class Listening {
    private(set) var reports: [PlayerReport] = []
    private(set) var player: MPVPlayer!
    /// Where its sound goes, when the test reads it.
    var pipe: SoundPipe?

    /// The hub's clock.
    var nowUs: Microseconds { loop.nowUs }
    private let loop: EventLoop

    init(_ audio: AudioChoice, idleLimit: Duration, loop: EventLoop, reactor: (any Reactor)? = nil) {
        self.loop = loop
        player = MPVPlayer(reactor: reactor ?? loop, audio: audio, idleLimit: idleLimit) { [weak self] in
            self?.reports.append($0)
        }
    }

    /// Waits for a report, with a limit.
    @discardableResult
    func wait(
        _ limit: Duration = .seconds(60), _ what: String = #function, in place: SourceLocation = #_sourceLocation,
        until isSo: @Loop ([PlayerReport]) -> Bool
    ) async throws -> [PlayerReport] {
        let end = ContinuousClock.now + limit
        while !isSo(reports) {
            guard ContinuousClock.now < end else {
                Issue.record("Waited in vain. Reported: \(reports.map { "\($0)" }.joined(separator: "\n"))", sourceLocation: place)
                throw WaitedInVain()
            }
            pipe?.readOn()
            try await Task.sleep(for: .milliseconds(2))
        }
        return reports
    }

    var lines: [(entry: EntryID, positionMs: Milliseconds, atUs: Microseconds, rate: Int)] {
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

/// A player whose long waits pass when the test says so.
func withPatientPlayer(_ body: @Loop (Listening, PatientReactor) async throws -> Void) async throws {
    let loop = try await EventLoop.background()
    let reactor = await PatientReactor(loop)
    try await onLoop(Listening(.null, idleLimit: .seconds(600), loop: loop, reactor: reactor)) { try await body($0, reactor) }
}

/// The test loop, except that minutes are counted and not waited for.
@Loop
final class PatientReactor: Reactor {
    @Loop
    private final class Held: Alarm {
        let dueUs: Microseconds
        let action: @Loop () -> Void
        var isCancelled = false

        init(dueUs: Microseconds, action: @escaping @Loop () -> Void) {
            self.dueUs = dueUs
            self.action = action
        }

        func cancel() { isCancelled = true }
    }

    private let loop: EventLoop
    private var held: [Held] = []
    private var skippedUs: Microseconds = 0

    init(_ loop: EventLoop) { self.loop = loop }

    var nowUs: Microseconds { loop.nowUs }

    func watch(_ descriptor: Int32, for interest: Readiness, _ action: @escaping @Loop (Readiness) -> Void) -> any Watch {
        loop.watch(descriptor, for: interest, action)
    }

    func after(_ delay: Duration, _ action: @escaping @Loop () -> Void) -> any Alarm {
        guard delay >= .seconds(60) else { return loop.after(delay, action) }
        let alarm = Held(dueUs: skippedUs + Microseconds(delay), action: action)
        held.append(alarm)
        return alarm
    }

    func pass(_ time: Duration) {
        skippedUs += Microseconds(time)
        let due = held.filter { $0.dueUs <= skippedUs }
        held.removeAll { $0.dueUs <= skippedUs }
        for alarm in due where !alarm.isCancelled { alarm.action() }
    }
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
    static func file(_ url: URL) -> Playable {
        // A test's folder is ours, and no test plays what it has not made.
        Playable(.file(NamedFile(url.path, try! Disk().open(url.path, below: ["/"]))))
    }
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
        let words = ["sox", "-D", "-n", "-r", "\(rate)", "-b", "16", "-c", "2", "{}", "synth", "\(seconds)", "sine", "440", "vol", "0.5"]
        try Fixture.make(words, at: file(name).path)
        return file(name)
    }

    func write(_ text: String, to name: String) throws -> URL {
        try Data(text.utf8).write(to: file(name))
        return file(name)
    }

    func run(_ arguments: [String]) throws {
        let outcome = try Outcome.of(arguments)
        #expect(outcome.code == 0, "\(arguments.joined(separator: " ")): \(outcome.err)")
    }
}
