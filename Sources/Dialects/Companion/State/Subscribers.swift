import BatonCore
import BatonProtocol
import BatonSeams

/// All sessions, and the delivery of changes to them.
///
/// Sessions that lag behind the state are updated in a round over all of them. A round is split into slices of at most a millisecond, so
/// that other commands are answered in between; a new change just restarts the round's count at its current position. One encoded frame
/// serves all sessions that lack the same changes.
@Loop
final class Subscribers {
    private let reactor: any Reactor
    private let limits: WireLimits
    /// Changed by one assignment, never in its place: then the compiler proves that it is not read meanwhile, and the rounds, which read it
    /// for each session, need no check of that as they run.
    private(set) var sessions: [Session] = []
    private var runs: [Session.Run: Session] = [:]

    // The round over all sessions.
    private var cursor = 0
    private var left = 0
    private var slicePending = false
    private static let sliceUs: Microseconds = 1000

    // Sessions whose pace does not allow a state yet.
    private var postponed: [Session] = []
    private var postponedAlarm: (any Alarm)?
    private var postponedDueUs = Microseconds.max

    private var tickAlarm: (any Alarm)?
    private var tickDueUs = Microseconds.max
    private static let tickUs: Microseconds = 5_000_000
    private static let hurryUs: Microseconds = 1_000_000
    /// The shortest pace that a client may ask for.
    private static let leastTickUs: Microseconds = 20_000

    private let ended: @Loop () -> Void

    init(reactor: any Reactor, limits: WireLimits, ended: @escaping @Loop () -> Void) {
        self.reactor = reactor
        self.limits = limits
        self.ended = ended
    }

    var count: Int { sessions.count }
    /// Answers that wait for their sockets, in bytes.
    var queuedBytes: Int { sessions.reduce(0) { $0 + $1.queuedBytes } }

    // MARK: Coming and going

    func enter(_ session: Session) {
        session.place = sessions.count
        var all = sessions
        sessions = []
        all.append(session)
        sessions = all
        armTick()
    }

    func leave(_ session: Session) {
        guard sessions.indices.contains(session.place), sessions[session.place] === session else { return }
        var others = sessions
        sessions = []
        let last = others.removeLast()
        if last !== session {
            others[session.place] = last
            last.place = session.place
            // The round may have passed that place already.
            if slicePending { left = others.count }
        }
        others.dropSpareRoom()
        sessions = others
        if cursor >= sessions.count { cursor = 0 }
        if let run = session.run, runs[run] === session { runs[run] = nil }
        runs.dropSpareRoom()
        ended()
        if session.isPostponed { postponed.removeAll { $0 === session } }
    }

    /// Replaces the half-open connection of a client that reconnects. A late greeting from a connection that its client has given up does
    /// not replace the newer one. Returns whether this session stays.
    func introduce(_ session: Session, as run: Session.Run) -> Bool {
        let why = "A newer connection of the same client took over."
        let other = runs[run]
        if let other, other.id > session.id {
            session.end(.replaced, why)
            return false
        }
        runs[run] = session
        other?.end(.replaced, why)
        return true
    }

    func count(fromAddress address: String) -> Int {
        sessions.count { !$0.isLive && $0.address == address }
    }

    var connections: [DeviceID: Int] {
        Dictionary(sessions.compactMap { $0.identity.device.map { ($0, 1) } }, uniquingKeysWith: +)
    }

    func count(of device: DeviceID) -> Int { sessions.count { $0.identity.device == device } }

    // MARK: Telling

    /// Starts a round, since some sessions may lack changes.
    func tell() {
        left = sessions.count
        if !slicePending { slice() }
    }

    private func slice() {
        let startUs = reactor.nowUs
        var nowUs = startUs
        while left > 0, !sessions.isEmpty {
            if cursor >= sessions.count { cursor = 0 }
            left -= 1
            let session = sessions[cursor]
            cursor += 1
            session.catchUp(atUs: nowUs)
            guard left > 0 else { return }
            nowUs = reactor.nowUs
            if nowUs - startUs >= Self.sliceUs { return goOnLater() }
        }
    }

    private func goOnLater() {
        slicePending = true
        _ = reactor.after(.zero) { [weak self] in
            guard let self else { return }
            self.slicePending = false
            self.slice()
        }
    }

    // MARK: Pace

    func postpone(_ session: Session, untilUs dueUs: Microseconds) {
        session.dueUs = dueUs
        if !session.isPostponed {
            session.isPostponed = true
            postponed.append(session)
        }
        guard dueUs < postponedDueUs else { return }
        postponedAlarm?.cancel()
        postponedDueUs = dueUs
        postponedAlarm = reactor.after(.microseconds(max(0, dueUs - reactor.nowUs))) { [weak self] in self?.tellPostponed() }
    }

    private func tellPostponed() {
        let nowUs = reactor.nowUs
        postponedDueUs = .max
        postponedAlarm = nil
        let waiting = postponed
        postponed = []
        for session in waiting { session.isPostponed = false }
        for session in waiting {
            if session.dueUs > nowUs { postpone(session, untilUs: session.dueUs) } else { session.catchUp(atUs: nowUs) }
        }
    }

    // MARK: Upkeep

    /// One shared tick checks for missing greetings, blocked sockets and long silence. It runs only while there are sessions. It comes in
    /// time for the next due session and includes those that are nearly due, so that many sessions cost no more wake-ups than one.
    private func armTick() {
        guard tickAlarm == nil, !sessions.isEmpty else { return }
        let nowUs = reactor.nowUs
        let hurry = sessions.contains { !$0.isLive || $0.isStalled }
        let silenceUs = sessions.lazy.filter { $0.isLive && !$0.isStalled }.map(\.mustHearByUs).min() ?? .max
        tickDueUs = min(nowUs + (hurry ? Self.hurryUs : Self.tickUs), max(silenceUs, nowUs + Self.leastTickUs))
        tickAlarm = reactor.after(.microseconds(tickDueUs - nowUs)) { [weak self] in
            guard let self else { return }
            self.tickAlarm = nil
            let nowUs = self.reactor.nowUs
            for session in self.sessions { session.upkeep(atUs: nowUs) }
            self.tell()
            self.armTick()
        }
    }

    /// Moves the tick forward if this session is due sooner.
    func paceChanged(of session: Session) {
        guard session.isLive, session.mustHearByUs < tickDueUs else { return }
        tickAlarm?.cancel()
        tickAlarm = nil
        armTick()
    }

    /// Ends all connections of a device, and tells each why.
    func end(_ device: DeviceID, with code: CloseCode, because fault: ProtocolFault) {
        for session in sessions where session.identity.device == device {
            session.refuse(fault)
            session.announce(code, fault.sentence)
            session.end(code, fault.sentence)
        }
    }

    func endAll(_ code: CloseCode, _ why: String) {
        tickAlarm?.cancel()
        postponedAlarm?.cancel()
        for session in sessions { session.end(code, why) }
    }
}
