import BatonCore
import BatonProtocol
import BatonSeams

/// The answers to commands that make credentials, by command key. They hold secrets, so they are in memory alone, for ten minutes, and end with the
/// process.
///
/// A repeat that comes while the first command is being carried out gets its answer, so that there is one session and one window.
@Loop
final class SecretAnswers {
    /// The place of an answer: the principal and the key that its client chose.
    struct Name: Hashable {
        let principal: String
        let key: String
    }

    private struct Entry {
        /// The keyed hash of the command, whose parameters may be secrets. Its key is drawn for each process.
        let seal: Int
        /// `nil` while the command is being carried out.
        var kept: (reply: Reply, untilUs: Microseconds)?
        /// Repeats that wait for the answer.
        var waiting: [WaitingRepeat] = []
    }

    /// The state of a key that was seen before.
    enum Known {
        case answered(Reply)
        /// The command is being carried out. The repeat waits from now on.
        case inWork(WaitingRepeat)
    }

    private let clock: HubClock
    private var entries: [Name: Entry] = [:]
    /// The names of the answers in the order in which they came, which is that in which they are forgotten.
    private var answered: [Name] = []
    private var alarm: (any Alarm)?
    private static let keptUs = Microseconds(Milliseconds(600_000))
    /// The most answers of one principal, and of all.
    private static let most = 256
    private static let mostOfAll = 4096

    init(_ clock: HubClock) { self.clock = clock }

    var isEmpty: Bool { entries.isEmpty }

    func has(_ name: Name) -> Bool {
        forgetOld()
        return entries[name] != nil
    }

    /// The state of this key; `nil` when it is new.
    func known(_ name: Name, _ fingerprint: UInt64) throws(ProtocolFault) -> Known? {
        forgetOld()
        guard let entry = entries[name] else { return nil }
        guard entry.seal == Self.seal(fingerprint) else { throw .keyMismatch }
        if let kept = entry.kept { return .answered(kept.reply) }
        let one = WaitingRepeat()
        entries[name]?.waiting.append(one)
        return .inWork(one)
    }

    /// Notes a command that begins. `end` must be called for it.
    func begin(_ name: Name, _ fingerprint: UInt64) { entries[name] = Entry(seal: Self.seal(fingerprint)) }

    /// Notes the answer. A refusal is told to those who wait, and is forgotten then.
    func end(_ name: Name, with reply: Reply) {
        guard var entry = entries.removeValue(forKey: name) else { return }
        let waiting = entry.waiting
        if reply.isSuccess {
            makeRoom(for: name.principal)
            entry.waiting = []
            entry.kept = (reply, clock.nowUs + Self.keptUs)
            entries[name] = entry
            answered.append(name)
            forgetInTime()
        }
        for one in waiting { one.give(reply) }
    }

    private static func seal(_ fingerprint: UInt64) -> Int {
        var hasher = Hasher()
        hasher.combine(fingerprint)
        return hasher.finalize()
    }

    private var firstUntilUs: Microseconds? { answered.first.flatMap { entries[$0]?.kept?.untilUs } }

    private func forgetOld() {
        let nowUs = clock.nowUs
        while let first = answered.first, let untilUs = firstUntilUs, untilUs <= nowUs { forget(first) }
    }

    /// Sets the alarm for the oldest answer, unless there is one, which may ring too early and is set anew then.
    private func forgetInTime() {
        guard alarm == nil, let untilUs = firstUntilUs else { return }
        alarm = clock.after(.microseconds(max(0, untilUs - clock.nowUs))) { [weak self] in
            guard let self else { return }
            self.alarm = nil
            self.forgetOld()
            self.forgetInTime()
        }
    }

    /// Forgets the oldest answers until one more fits.
    private func makeRoom(for principal: String) {
        let own = answered.filter { $0.principal == principal }
        if own.count >= Self.most, let oldest = own.first { forget(oldest) }
        if answered.count >= Self.mostOfAll, let oldest = answered.first { forget(oldest) }
    }

    private func forget(_ name: Name) {
        entries[name] = nil
        answered.removeAll { $0 == name }
    }
}

/// A repeat that waits for the answer to the first command. It is noted before its task begins, so that it misses no answer.
@Loop
final class WaitingRepeat {
    private var reply: Reply?
    private var continuation: CheckedContinuation<Reply, Never>?

    /// The answer to the first command.
    var answer: Reply {
        get async {
            if let reply { return reply }
            return await withCheckedContinuation { continuation = $0 }
        }
    }

    fileprivate func give(_ reply: Reply) {
        self.reply = reply
        continuation?.resume(returning: reply)
        continuation = nil
    }
}
