package import BatonSeams
import Glibc
import Threads

/// The line of passwords that wait to be hashed: one or two at once, on threads that leave the processor to everything else.
///
/// Two hashes hold 64 MiB, and one processor stays free for the commands of others: the scheduler lets a running thread finish its slice of
/// some milliseconds, whatever its niceness. A password that finds the line full is refused at once, so that a flood of attempts holds no memory.
package final class PasswordQueue: PasswordHashing {
    private let queue = WorkQueue(WorkQueue.Limits(threads: threads, waiting: 64, idleMs: 2_000), niceness: niceness)
    private let cost: PasswordCost
    private static let threads = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 2 ? 2 : 1
    /// The loop goes first, and a person still gets an answer where programs of others keep each processor busy: with the highest niceness
    /// a sign-in took longer than a client waits.
    private static let niceness: CInt = 5
    /// Has the salt and the cost of a real one, and no password gives it.
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

    package func matches(_ password: String, _ kept: PasswordHash?) async -> Bool? {
        let compared = kept ?? unknown
        let isKnown = kept != nil
        return await inLine { Scrypt.matches(password, compared) && isKnown }
    }

    private func inLine<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        await withCheckedContinuation { answer in
            if queue.add({ answer.resume(returning: work()) }) == nil { answer.resume(returning: nil) }
        }
    }
}
