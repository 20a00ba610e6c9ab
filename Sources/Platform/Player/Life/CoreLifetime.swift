import BatonSeams
import Threads

/// The life of libmpv inside a player: absent, being made, running, and in the end gone.
///
/// Making and taking apart both block, so both happen on threads of their own; orders that come
/// while it is made wait in line. Closing awaits every thread that was started.
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
    /// Of those that are being taken apart, by number.
    private var deaths: [Int: Task<Void, Never>] = [:]
    private var deathNumbers = 0
    private let target: PCMTarget?
    private let files: FileStreams

    init(audio: AudioChoice, files: FileStreams) {
        self.files = files
        if case .pcm(let file) = audio { target = PCMTarget(file: file) } else { target = nil }
    }

    var isAbsent: Bool { if case .absent = state { true } else { false } }
    var isClosed: Bool { if case .closed = state { true } else { false } }

    /// Makes libmpv. `settle` turns what was made into something that can be given orders.
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

    /// Carries out an order now, or as soon as there is a player to give it to.
    func order(_ order: @escaping Order) {
        switch state {
        case .running(let core): order(core)
        case .making(let waiting): state = .making(waiting + [order])
        case .absent, .closed: break
        }
    }

    /// Lets libmpv go; it can be made again.
    func rest() { leave(to: .absent) }

    func close() async {
        leave(to: .closed)
        await birth?.value
        for death in deaths.values { await death.value }
    }

    private func arrived(_ made: Result<RawCore, MPVStatus>, _ settle: @Loop (Result<RawCore, MPVStatus>) -> MPVCore?) {
        guard case .making(let waiting) = state else {
            // Closed meanwhile.
            if case .success(let raw) = made { destroy(raw) }
            return
        }
        // The report of a failure may be answered by a new order.
        if case .failure = made { state = .absent }
        guard let core = settle(made) else { return }
        state = .running(core)
        for order in waiting { order(core) }
    }

    private func leave(to next: State) {
        if case .closed = state { return }
        // While it is made it cannot be let go; who is idle asks again later.
        if case .making = state, case .absent = next { return }
        if case .running(let core) = state { destroy(core.release()) }
        state = next
    }

    private func isDead(_ number: Int) { deaths[number] = nil }

    private func destroy(_ raw: RawCore) {
        let target = self.target
        // Side by side: a pipe without a reader delays the end until it is unblocked.
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
