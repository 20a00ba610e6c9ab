/// The last lines of the log, for admins on other machines. Any thread may add one.
package import BatonCore
package import BatonSeams
import Synchronization

package final class LogRing: Sendable {
    package struct Line: Equatable, Sendable {
        package var number: Int
        package var wallMs: Milliseconds
        package var level: Log.Level
        package var text: String
    }

    /// The result of a search for lines.
    package struct Found: Equatable, Sendable {
        package var lines: [Line]
        /// The number of the last line that was searched.
        package var newest: Int
        /// Number of requested lines that are no longer stored.
        package var missed: Int
    }

    private struct State {
        var lines: [Line] = []
        /// Index of the next line, once the ring is full.
        var next = 0
        var count = 0
    }

    private static let most = 1000
    /// Limit of a sentence in bytes. Long ones come from libraries, and their beginning tells what happened.
    private static let mostBytes = 1000

    private let state = Mutex(State())
    private let clock: Clock

    package init(clock: Clock = .system) { self.clock = clock }

    package func add(_ level: Log.Level, _ sentence: String) {
        let text = sentence.utf8.count <= Self.mostBytes ? sentence : Self.cut(sentence)
        let wallMs = clock.wallMs
        state.withLock { state in
            state.count += 1
            let line = Line(number: state.count, wallMs: wallMs, level: level, text: text)
            if state.lines.count < Self.most {
                state.lines.append(line)
            } else {
                state.lines[state.next] = line
                state.next = (state.next + 1) % Self.most
            }
        }
    }

    /// Cuts between characters.
    private static func cut(_ sentence: String) -> String {
        var text = ""
        var bytes = 0
        for scalar in sentence.unicodeScalars {
            bytes += UTF8.width(scalar)
            if bytes > mostBytes - 3 { break }
            text.unicodeScalars.append(scalar)
        }
        return text + "…"
    }

    /// The lines after `after`, oldest first, or without it the newest.
    package func lines(from level: Log.Level, after: Int?, limit: Int) -> Found {
        let (all, count) = state.withLock { state in (Array(state.lines[state.next...] + state.lines[..<state.next]), state.count) }
        guard let after, after <= count else {
            let lines = all.filter { $0.level >= level }.suffix(limit)
            return Found(lines: Array(lines), newest: count, missed: 0)
        }
        let behind = all.drop { $0.number <= after }
        let lines = behind.filter { $0.level >= level }
        let missed = max(0, (all.first?.number ?? count + 1) - 1 - after)
        guard lines.count > limit else { return Found(lines: lines, newest: count, missed: missed) }
        return Found(lines: Array(lines.prefix(limit)), newest: lines[limit - 1].number, missed: missed)
    }
}
