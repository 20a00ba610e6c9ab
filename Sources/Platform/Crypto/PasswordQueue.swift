package import BatonSeams
import Glibc
import Threads

/// The queue of passwords to hash: one or two at once, on threads of low priority.
///
/// Two hashes take 64 MiB. One processor stays free for other commands, since the scheduler lets a running thread finish its slice of some
/// milliseconds, whatever its niceness. When the queue is full, a password is refused at once, so that a flood of attempts takes no memory.
package final class PasswordQueue: PasswordHashing {
    private let queue = WorkQueue(WorkQueue.Limits(threads: threads, waiting: 64, idleMs: 2_000), niceness: niceness)
    private let cost: PasswordCost
    private static let threads = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 2 ? 2 : 1
    /// The loop takes precedence, but sign-in must still work while other programs keep every processor busy: with the highest niceness it
    /// took longer than a client waits.
    private static let niceness: CInt = 5
    /// A hash with a real salt and cost that no password matches.
    private let unknown: PasswordHash

    package init(cost: PasswordCost = .usual) {
        self.cost = cost
        unknown = PasswordHash(
            cost: cost, salt: OpenSSL().random(Scrypt.saltBytes), hash: [UInt8](repeating: 0, count: Scrypt.hashBytes))
    }

    package func hash(_ password: String) async -> PasswordHash? {
        let cost = cost
        return await inLine { Scrypt.hash(password, cost: cost) }
    }

    package func matches(_ password: String, _ stored: PasswordHash?) async -> Bool? {
        let compared = stored ?? unknown
        let isKnown = stored != nil
        return await inLine { Scrypt.matches(password, compared) && isKnown }
    }

    private func inLine<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        await withCheckedContinuation { answer in
            if queue.add({ answer.resume(returning: work()) }) == nil { answer.resume(returning: nil) }
        }
    }
}
