import BatonSeams
import Threads

/// The lifecycle of libmpv in a player: absent, being created, running, and finally gone.
///
/// Creation and destruction block, so both run on threads of their own; orders wait during the creation. Closing waits for every thread
/// that was started.
@Loop
final class CoreLifetime {
    typealias Order = @Loop (MPVCore) -> Void

    private enum State {
        case absent
        case making([Order])
        case running(MPVCore)
        case closed
    }

    private var state = State.absent
    private var birth: Task<Void, Never>?
    /// Tasks of running destructions, by number.
    private var deaths: [Int: Task<Void, Never>] = [:]
    private var deathNumbers = 0
    /// The alarm for the end of an idle libmpv.
    private var idle: (any Alarm)?
    private let target: PCMTarget?
    private let files: FileStreams

    init(audio: AudioChoice, files: FileStreams) {
        self.files = files
        if case .pcm(let file) = audio { target = PCMTarget(file: file) } else { target = nil }
    }

    var isAbsent: Bool { if case .absent = state { true } else { false } }
    var isClosed: Bool { if case .closed = state { true } else { false } }

    /// Creates libmpv. `settle` turns the result into an object that takes orders.
    func begin(options: [PlayerOption], settle: @escaping @Loop (Result<RawCore, MPVStatus>) -> MPVCore?) {
        guard isAbsent else { return }
        state = .making([])
        let (target, files) = (self.target, self.files)
        birth = Task(executorPreference: Loop.jobs) {
            let made = await OwnThread.run {
                target?.open()
                return RawCore.make(options: options, files: files)
            }
            await self.arrived(made, settle)
        }
    }

    /// Carries out an order now, or as soon as there is a player.
    func order(_ order: @escaping Order) {
        switch state {
        case .running(let core): order(core)
        case .making(let waiting): state = .making(waiting + [order])
        case .absent, .closed: break
        }
    }

    /// Keeps libmpv, because something will be played.
    func stay() {
        idle?.cancel()
        idle = nil
    }

    /// Sets the alarm that destroys an idle libmpv.
    func restLater(_ alarm: any Alarm) {
        idle?.cancel()
        idle = alarm
    }

    /// Destroys libmpv; it can be created again.
    func rest() { leave(to: .absent) }

    func close() async {
        leave(to: .closed)
        await birth?.value
        for death in deaths.values { await death.value }
    }

    private func arrived(_ made: Result<RawCore, MPVStatus>, _ settle: @Loop (Result<RawCore, MPVStatus>) -> MPVCore?) {
        guard case .making(let waiting) = state else {
            // The player was closed in the meantime.
            if case .success(let raw) = made { destroy(raw) }
            return
        }
        // The report of a failure may be followed by a new order.
        if case .failure = made { state = .absent }
        guard let core = settle(made) else { return }
        state = .running(core)
        for order in waiting { order(core) }
    }

    private func leave(to next: State) {
        if case .closed = state { return }
        // It cannot be destroyed while it is being created; an idle player tries again later.
        if case .making = state, case .absent = next { return }
        if case .running(let core) = state { destroy(core.release()) }
        state = next
    }

    private func isDead(_ number: Int) { deaths[number] = nil }

    private func destroy(_ raw: RawCore) {
        let target = self.target
        // At the same time, since a pipe without a reader delays the destruction until it is unblocked.
        let unblocking = Task(executorPreference: Loop.jobs) { await OwnThread.run { target?.unblock() } }
        deathNumbers += 1
        let number = deathNumbers
        deaths[number] = Task(executorPreference: Loop.jobs) { [weak self] in
            await OwnThread.run {
                raw.destroy()
                target?.close()
            }
            await unblocking.value
            await self?.isDead(number)
        }
    }
}
