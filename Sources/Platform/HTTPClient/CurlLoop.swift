import BatonSeams
import CCurl
import Glibc
import Synchronization
import Threads

/// The thread that runs libcurl's multi interface, and the queue of orders for it.
///
/// Any thread starts, resumes and cancels calls; only this thread touches handles. The exception is `curl_multi_wakeup`, which libcurl
/// allows from any thread and which is called under the lock, so that the handle is alive. The thread starts with a call and ends after a
/// while without calls; its connections and their memory end with it.
final class CurlLoop: Sendable {
    enum Order: Sendable {
        case start(Transfer)
        case resume(Exchange)
        case cancel(Exchange)
        case handOver(Exchange, CheckedContinuation<HandedSocket?, Never>)
    }

    @safe private struct State {
        var orders: [Order] = []
        /// Number of unfinished calls.
        var calls = 0
        var isRunning = false
        var isClosed = false
        /// Set while the thread runs.
        nonisolated(unsafe) var multi: UnsafeMutableRawPointer?
    }

    private let state = Mutex(State())
    private let mostCalls: Int
    /// Time that a thread without calls waits for the next one.
    private let idleMs: Int32
    private let isQuiet: Bool

    init(mostCalls: Int, idle: Duration, isQuiet: Bool) {
        self.mostCalls = mostCalls
        self.isQuiet = isQuiet
        idleMs = Int32(clamping: idle.milliseconds)
    }

    var activity: (calls: Int, isRunning: Bool) { state.withLock { ($0.calls, $0.isRunning) } }

    // MARK: From any thread

    /// False if too many calls are running.
    func start(_ transfer: Transfer) -> Bool {
        let (isTaken, needsThread) = state.withLock { state in
            guard state.calls < mostCalls, !state.isClosed else { return (false, false) }
            state.calls += 1
            state.orders.append(.start(transfer))
            defer { state.isRunning = true }
            return (true, !state.isRunning)
        }
        guard isTaken else { return false }
        if needsThread { startThread() } else { wake() }
        return true
    }

    func resume(_ exchange: Exchange) { order(.resume(exchange)) }

    func cancel(_ exchange: Exchange) { order(.cancel(exchange)) }

    func handOver(_ exchange: Exchange, to reply: CheckedContinuation<HandedSocket?, Never>) {
        if !order(.handOver(exchange, reply)) { reply.resume(returning: nil) }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        wake()
    }

    /// False if there is no thread, and so no call.
    @discardableResult
    private func order(_ order: Order) -> Bool {
        let isRunning = state.withLock { state in
            if state.isRunning { state.orders.append(order) }
            return state.isRunning
        }
        if isRunning { wake() }
        return isRunning
    }

    private func wake() {
        state.withLock { state in
            if let multi = unsafe state.multi { unsafe _ = baton_curl_multi_wakeup(multi) }
        }
    }

    private func startThread() {
        if !OwnThread.tryStart(niceness: isQuiet ? OwnThread.quietness : 0, { [self] in run() }) { startFailed() }
    }

    // MARK: On the thread

    private func run() {
        guard let multi = unsafe baton_curl_multi_init() else { return startFailed() }
        let transfers = unsafe Transfers(multi)
        state.withLock { unsafe $0.multi = multi }
        repeat { turn(transfers) } while !isOver(transfers)
        unsafe _ = baton_curl_multi_cleanup(multi)
    }

    private func turn(_ transfers: Transfers) {
        let (orders, isClosed) = state.withLock { state in
            defer { state.orders = [] }
            return (state.orders, state.isClosed)
        }
        for order in orders { transfers.follow(order) }
        if isClosed { transfers.endAll(HTTPCallFault(.cancelled, "The hub is stopping.")) }
        transfers.perform()
        let ended = transfers.takeEnded()
        if !ended.isEmpty { state.withLock { $0.calls -= ended.count } }
        for ending in ended { ending.exchange.ended(ending.result) }
        // An order that arrived in the meantime has already ended the wait.
        transfers.wait(idleMs: idleMs)
    }

    /// Whether no work is left. Then the thread is cleared first, and its handle freed afterwards.
    private func isOver(_ transfers: Transfers) -> Bool {
        guard transfers.isEmpty else { return false }
        return state.withLock { state in
            guard state.orders.isEmpty, state.isClosed || transfers.hasIdled else { return false }
            state.isRunning = false
            unsafe state.multi = nil
            return true
        }
    }

    /// Fails all waiting calls, since the thread could not start; the next call tries again.
    private func startFailed() {
        let orders = state.withLock { state in
            defer { state.orders = [] }
            state.isRunning = false
            state.calls = 0
            return state.orders
        }
        for order in orders {
            switch order {
            case .start(let transfer):
                transfer.exchange.ended(
                    .failure(HTTPCallFault(.unavailable, "The system gives no more threads, so no other server can be asked.")))
            case .handOver(_, let reply): reply.resume(returning: nil)
            case .resume, .cancel: break
            }
        }
    }
}
