package import BatonCore
package import BatonSeams

/// A reactor whose clock moves only when it is told to. Alarms fire in the order of their deadlines;
/// nothing waits for anything real, so an hour passes in the time its events take.
@Loop
package final class VirtualTime: Reactor {
    package private(set) var nowUs: Microseconds
    private var alarms: [VirtualAlarm] = []
    private var count = 0
    /// How many alarms have come.
    package private(set) var fired = 0

    package init(startUs: Microseconds = 1_000_000) { nowUs = startUs }

    package func watch(
        _ descriptor: Int32, for interest: Readiness, _ action: @escaping @Loop (Readiness) -> Void
    ) -> any Watch {
        fatalError("There are no descriptors in virtual time.")
    }

    package func after(_ delay: Duration, _ action: @escaping @Loop () -> Void) -> any Alarm {
        count += 1
        let alarm = VirtualAlarm(dueUs: nowUs + Microseconds(delay), order: count, action: action)
        let place = alarms.firstIndex { $0.dueUs > alarm.dueUs } ?? alarms.count
        alarms.insert(alarm, at: place)
        return alarm
    }

    /// Nothing that was to come will.
    package func forget() { alarms = [] }

    /// Lets time pass, and everything that is due in it happen.
    package func pass(_ time: Duration) { run(untilUs: nowUs + Microseconds(time)) }

    package func run(untilUs endUs: Microseconds) {
        while fireNext(before: endUs) {}
        nowUs = max(nowUs, endUs)
    }

    /// The same, and between two events all that waits for no time.
    package func passQuietly(_ time: Duration) async {
        let endUs = nowUs + Microseconds(time)
        repeat { await untilQuiet() } while fireNext(before: endUs)
        run(untilUs: endUs)
        await untilQuiet()
    }

    /// Lets all happen until this is so, for at most so long. Time stands still while a job waits.
    package func until(within limit: Duration, _ isSo: @Loop () -> Bool) async -> Bool {
        let endUs = nowUs + Microseconds(limit)
        while true {
            await untilQuiet(or: isSo)
            if isSo() { return true }
            let nextUs = min(nowUs + Self.stepUs, endUs)
            guard !fireNext(before: nextUs) else { continue }
            guard nowUs < endUs else { return false }
            nowUs = nextUs
        }
    }

    /// Where nothing is due, a condition may still wait for time alone.
    private static let stepUs: Microseconds = 10_000

    /// Lets one job run, or the next event come where none waits.
    package func step() async {
        if Loop.jobs.isEmpty { _ = fireNext(before: .max) } else { await Task.yield() }
    }

    /// Returns once so much time has passed.
    package func rest(_ time: Duration) async {
        await withCheckedContinuation { waiting in _ = after(time) { waiting.resume() } }
    }

    /// Work took this long, and nothing else could happen meanwhile.
    package func spend(us: Microseconds) { nowUs += us }

    /// Fires what is due now, without letting time pass.
    package func settle() { run(untilUs: nowUs) }

    package var nextDueUs: Microseconds? {
        alarms.first { !$0.isCancelled }?.dueUs
    }

    /// Fires the next alarm if it is due by then.
    package func fireNext(before endUs: Microseconds) -> Bool {
        while let first = alarms.first, first.dueUs <= endUs {
            alarms.removeFirst()
            guard !first.isCancelled else { continue }
            nowUs = max(nowUs, first.dueUs)
            fired += 1
            first.action()
            return true
        }
        return false
    }
}

@Loop
private final class VirtualAlarm: Alarm {
    let dueUs: Microseconds
    let order: Int
    let action: @Loop () -> Void
    var isCancelled = false

    init(dueUs: Microseconds, order: Int, action: @escaping @Loop () -> Void) {
        self.dueUs = dueUs
        self.order = order
        self.action = action
    }

    func cancel() { isCancelled = true }
}

/// Returns once no job waits for the loop, and then nothing happens any more before time passes; or as soon as this is so. A world in
/// virtual time has no job anywhere else, since its pools are `Loop.jobs` or a `HeldPool`.
@Loop
package func untilQuiet(or isSo: @Loop () -> Bool = { false }) async {
    var turns = 0
    while !Loop.jobs.isEmpty, !isSo() {
        await Task.yield()
        turns += 1
        // A hub that asks again and again without a pause, for which a test would wait for ever.
        precondition(turns < 1_000_000, "Jobs follow each other without end at one moment of virtual time.")
    }
}
