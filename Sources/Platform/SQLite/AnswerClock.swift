/// The clock for the expiry of stored answers: milliseconds that only grow, even across restarts of the hub.
///
/// The wall clock is not suitable: a person, NTP or an empty battery may change it by years, and each jump would release a key early or
/// keep it forever. While the hub runs this clock follows the kernel's monotonic clock, which is also the clock of `ct` and `ttl` and
/// stands still while the machine sleeps. Each file with answers stores a reading of its own, so a file that was restored or set aside does
/// not affect the other.
///
/// Time while the hub was off counts as far as the kernel proves it:
/// - within the same boot all of it counts;
/// - after another boot one second counts, since no machine starts in less. The real time may have been longer, so a key may live longer than ten
///   minutes of real time, but never shorter.
package import BatonCore
package import BatonSeams

/// The id of the current boot. Readings of the monotonic clock can be compared within one boot only.
package enum KernelLife {
    /// Empty if the system does not provide it.
    package static func current() -> String {
        let bytes = (try? DatabaseOpening.firstBytes(of: "/proc/sys/kernel/random/boot_id", 36)) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }
}

package struct AnswerClock: Sendable {
    /// A stored reading, with the kernel's at the same time.
    package struct Note: Equatable, Sendable {
        package var boot: String
        package var kernelMs: Milliseconds
        package var clockMs: Milliseconds

        package init(boot: String = "", kernelMs: Milliseconds = 0, clockMs: Milliseconds = 0) {
            self.boot = boot
            self.kernelMs = kernelMs
            self.clockMs = clockMs
        }
    }

    /// Shortest interval between stored readings of a running hub.
    package static let noteEveryMs: Milliseconds = 60_000
    private static let startMs: Milliseconds = 1_000
    /// Upper bound for a valid reading; a damaged one must not overflow.
    private static let highest = Milliseconds(1 << 53)

    private let boot: String
    private let clock: Clock
    private let openedMs: Milliseconds
    private let openedKernelMs: Milliseconds

    /// Continues after the last note and the newest answer, whichever is later.
    package init(after note: Note, newestMs: Milliseconds, boot: String, clock: Clock) {
        self.boot = boot
        self.clock = clock
        openedKernelMs = clock.nowMs
        let knownMs = min(max(0, note.clockMs, newestMs), Self.highest)
        guard !boot.isEmpty, boot == note.boot else {
            openedMs = knownMs + (boot.isEmpty ? 0 : Self.startMs)
            return
        }
        let passedMs = min(max(0, openedKernelMs - max(0, note.kernelMs)), Self.highest)
        openedMs = max(knownMs, min(max(0, note.clockMs), Self.highest) + passedMs)
    }

    package var nowMs: Milliseconds { openedMs + max(0, clock.nowMs - openedKernelMs) }

    package var note: Note {
        let kernelMs = clock.nowMs
        return Note(boot: boot, kernelMs: kernelMs, clockMs: openedMs + max(0, kernelMs - openedKernelMs))
    }
}
