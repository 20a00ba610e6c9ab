import BatonCore

/// The file in which the hub notes its own crashes for the next start.
package protocol CrashNoting: Sendable {
    /// The crashes of earlier starts, one in each line.
    var lines: String { get }
    /// Empties the file, so that no earlier crash counts at the next start.
    func forget()
    /// Measures the times of later crashes from this call instead of from the start.
    func countFromNow()
}

/// Crashes soon after a start, in consecutive starts, as the crash file lists them.
///
/// A line is `SIGSEGV 5012 1764345600000`: the signal, the ms since the start, and the wall clock in ms. The hub writes one
/// when it crashes, and empties the file once a start has lasted a minute or has ended by request. So other ends, such as
/// SIGKILL or lost power, neither count nor clear anything. Incomplete lines and unknown ones are not counted.
package struct CrashRecord: Equatable, Sendable {
    struct Crash: Equatable, Sendable {
        var signal: String
        var afterMs: Milliseconds
        var wallMs: Milliseconds
    }

    /// A crash later than this after a start does not count.
    static let periodMs: Milliseconds = 60_000
    /// Number of crashes in a row after which the next start holds its work.
    static let most = 2
    fileprivate static let signals: Set<String> = ["SIGSEGV", "SIGBUS", "SIGILL", "SIGABRT", "SIGTRAP"]

    /// The crashes, oldest first.
    private(set) var crashes: [Crash] = []

    init(_ lines: String) {
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            guard let crash = Crash(line) else { continue }
            // That start lasted, so the crashes before it were no crash loop.
            if crash.afterMs > Self.periodMs { crashes = [] } else { crashes.append(crash) }
        }
    }

    var holdsWork: Bool { crashes.count >= Self.most }

    /// A sentence for people that says how to go on.
    var sentence: String? {
        guard holdsWork, let last = crashes.last else { return nil }
        let after = last.afterMs.seconds
        return "The hub crashed \(crashes.count) times soon after its start, last with \(last.signal) after \(after) s, so its work "
            + "waits. Go on: baton hub resume"
    }
}

extension CrashRecord.Crash {
    fileprivate init?(_ line: Substring) {
        let words = line.split(separator: " ")
        guard words.count == 3, CrashRecord.signals.contains(String(words[0])), let afterMs = Milliseconds(words[1]), afterMs >= 0,
            let wallMs = Milliseconds(words[2]), wallMs >= 0
        else { return nil }
        self.init(signal: String(words[0]), afterMs: afterMs, wallMs: wallMs)
    }
}
