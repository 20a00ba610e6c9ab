import BatonCore
import BatonSeams
import CLinux
import Glibc
import SocketPeers
import SocketServer
import Synchronization
import Testing
import WebClient

@testable import EventLoop

@Suite(.loop) struct EventLoopTests {
    @Test @Loop func `a watched descriptor calls when it is ready and not after its watch was cancelled`() async throws {
        let loop = try await EventLoop.background()
        let descriptor = eventfd(0, Int32(EFD_NONBLOCK))
        defer { close(descriptor) }
        var calls: [Readiness] = []
        let watch = loop.watch(descriptor, for: .readable) { readiness in
            calls.append(readiness)
            var count: UInt64 = 0
            _ = read(descriptor, &count, 8)
        }

        var one: UInt64 = 1
        write(descriptor, &one, 8)
        #expect(await eventually { calls.count == 1 })
        watch.change(to: [.readable, .writable])
        #expect(await eventually { calls.count > 1 })
        watch.cancel()
        let before = calls.count
        write(descriptor, &one, 8)
        try await pass(on: loop)

        #expect(calls.first == .readable)
        #expect(calls.dropFirst().allSatisfy { $0.contains(.writable) })
        #expect(calls.count == before)
    }

    @Test @Loop func `a descriptor may be watched twice`() async throws {
        let loop = try await EventLoop.background()
        let descriptor = eventfd(1, Int32(EFD_NONBLOCK))
        defer { close(descriptor) }
        var calls: Set<Int> = []

        let first = loop.watch(descriptor, for: .readable) { _ in calls.insert(1) }
        let second = loop.watch(descriptor, for: .readable) { _ in calls.insert(2) }

        #expect(await eventually { calls == [1, 2] })
        first.cancel()
        second.cancel()
    }

    @Test @Loop func `alarms ring in the order of their deadlines, and not when cancelled`() async throws {
        let loop = try await EventLoop.background()
        var rung: [Int] = []

        _ = loop.after(.milliseconds(30)) { rung.append(3) }
        _ = loop.after(.milliseconds(10)) { rung.append(1) }
        let never = loop.after(.milliseconds(20)) { rung.append(99) }
        _ = loop.after(.milliseconds(20)) { rung.append(2) }
        _ = loop.after(.zero) { rung.append(0) }
        never.cancel()

        #expect(rung.isEmpty)
        #expect(await eventually { rung.count == 4 })
        #expect(rung == [0, 1, 2, 3])
    }

    @Test @Loop func `an alarm never rings early`() async throws {
        let loop = try await EventLoop.background()
        let start = loop.nowUs
        var end: Microseconds = 0

        _ = loop.after(.microseconds(2_345)) { end = loop.nowUs }

        #expect(await eventually { end != 0 })
        #expect(end - start >= 2_345)
    }

    @Test @Loop func `the alarm queue keeps its order through many cancels`() async throws {
        let loop = try await EventLoop.background()
        var queue = AlarmQueue()
        var random = SystemRandomNumberGenerator()
        var kept: [Int64] = []
        var rung: [Int64] = []

        for index in 0..<2_000 {
            let deadline = Int64.random(in: 0..<10_000, using: &random)
            let entry = queue.add(Microseconds(deadline), for: loop) { rung.append(deadline) }
            if index % 3 == 0 {
                kept.append(deadline)
            } else {
                entry.cancel()
                queue.noteCancelled()
            }
        }
        while let action = queue.takeDue(10_000) { action() }

        #expect(rung == kept.sorted())
        #expect(queue.earliestUs == nil)
    }

    @Test func `a job from another thread runs on the loop`() async throws {
        _ = try await EventLoop.background()

        let wasOnLoop = await Task.detached { await onLoop() }.value

        #expect(wasOnLoop)
    }

    @Test @Loop func `a signal arrives as an event`() async throws {
        let loop = try await EventLoop.background()
        let signals = loop.signals([SIGUSR2])

        raise(SIGUSR2)

        var first: Int32?
        for await signal in signals {
            first = signal
            break
        }
        #expect(first == SIGUSR2)
    }

    @Test func `the watchdog sees work and not waiting`() {
        var watchdog = Watchdog()

        watchdog.begin()
        spin(forNs: 8_000_000)
        let working = watchdog.end()
        watchdog.begin()
        usleep(8_000)
        let waiting = watchdog.end()

        #expect(working.map { $0 >= 5_000_000 } == true)
        #expect(waiting == nil)
        #expect(watchdog.slow == 1)
    }

    @Test func `a callback that keeps the loop busy is counted and named`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let heard = Mutex<[String]>([])
            let code = try EventLoop.run(log: Log(threshold: .warning) { _, sentence in heard.withLock { $0.append(sentence) } }) { loop in
                // A peer may wait from then on.
                loop.hasAccepted = true
                await withCheckedContinuation { done in
                    _ = loop.after(.zero) {
                        spin(forNs: 80_000_000)
                        _ = loop.after(.zero) { done.resume() }
                    }
                }
                return Int32(loop.slowCallbacks)
            }
            // The first callbacks of a program may be slow on a busy machine, and are named as well.
            let sentences = heard.withLock { $0 }
            let took = sentences.compactMap { $0.split(separator: " ").dropLast().last.flatMap { Int($0) } }
            let areNamed = sentences.allSatisfy { $0.hasPrefix("A callback of a job, a timer or a descriptor kept") }
            exit(areNamed && sentences.count == code && took.contains { $0 >= 80_000 } ? 0 : 2)
        }
    }

    @Test func `run lends the thread until its body returns, and a second run starts afresh`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let log = Log(threshold: .warning) { _, sentence in print(sentence) }
            var codes: [Int32] = []
            for code in [Int32(3), 7] {
                codes.append(
                    try EventLoop.run(log: log) { loop in
                        let server = Server(loop, reception: SmallHub())
                        let port = try? server.listen(tcp: "127.0.0.1", port: 0)
                        let link = try? await Client.connect(to: .tcp(host: "127.0.0.1", port: port ?? 0), on: loop, timeout: .patient)
                        // Left open: the end of the loop closes them.
                        return link == nil ? 1 : code
                    })
            }
            exit(codes == [3, 7] ? 7 : 1)
        }
    }

    @Test func `a blocked signal ends a run in an orderly way`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            exit(
                try EventLoop.run(log: .silent, blocking: [SIGTERM]) { loop in
                    let signals = loop.signals([SIGTERM])
                    raise(SIGTERM)
                    for await signal in signals { return signal == SIGTERM ? 0 : 1 }
                    return 2
                })
        }
    }
}

private func spin(forNs duration: Int64) {
    let start = Watchdog.now(CLOCK_THREAD_CPUTIME_ID)
    while Watchdog.now(CLOCK_THREAD_CPUTIME_ID) - start < duration {}
}

@Loop private func onLoop() -> Bool { Loop.jobs.isCurrent }
