/// The notes that the hub makes when it ends by a mistake of its own, so that the next start knows of it.
package protocol CrashNoting: Sendable {
    /// The crashes of earlier starts, as they were noted: a line for each.
    var lines: String { get }
    func forget()
    /// From now on a crash is noted with the time since this call instead of that since the start.
    func countFromNow()
}

/// Crashes soon after a start, one start after the other, as the file of crashes has them.
///
/// A line is `SIGSEGV 5012 1764345600000`: the signal, the ms since the start and those of the wall clock. The hub writes one when it
/// crashes, and empties the file once a start has lasted a minute or has ended as it was told to. So whatever else ends a hub, such as
/// SIGKILL or lost power, neither counts nor clears anything. A line that is not whole or not understood is not counted.
package struct CrashRecord: Equatable, Sendable {
    package struct Crash: Equatable, Sendable {
        package var signal: String
        package var afterMs: Int64
        package var wallMs: Int64
    }

    /// A crash later than this after a start does not count.
    package static let periodMs: Int64 = 60_000
    /// So many crashes in a row hold the work of the next start.
    package static let most = 2
    fileprivate static let signals: Set<String> = ["SIGSEGV", "SIGBUS", "SIGILL", "SIGABRT", "SIGTRAP"]

    /// The oldest first.
    package private(set) var crashes: [Crash] = []

    package init(_ lines: String) {
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            guard let crash = Crash(line) else { continue }
            // That start lasted, so those before it were no loop.
            if crash.afterMs > Self.periodMs { crashes = [] } else { crashes.append(crash) }
        }
    }

    package var holdsWork: Bool { crashes.count >= Self.most }

    /// For people, with the way out.
    package var sentence: String? {
        guard holdsWork, let last = crashes.last else { return nil }
        let after = last.afterMs / 1000
        return "The hub crashed \(crashes.count) times soon after its start, last with \(last.signal) after \(after) s, so its work "
            + "waits. Go on: baton hub resume"
    }
}

extension CrashRecord.Crash {
    fileprivate init?(_ line: Substring) {
        let words = line.split(separator: " ")
        guard words.count == 3, CrashRecord.signals.contains(String(words[0])), let afterMs = Int64(words[1]), afterMs >= 0,
            let wallMs = Int64(words[2]), wallMs >= 0
        else { return nil }
        self.init(signal: String(words[0]), afterMs: afterMs, wallMs: wallMs)
    }
}
