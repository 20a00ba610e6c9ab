import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// Updates for a remote, and the lanes for its messages.
extension Session {
    /// Sends the changes that this remote lacks, as soon as its pace and its socket allow.
    func catchUp(atUs nowUs: Microseconds) {
        guard phase == .live, let link else { return }
        let revision = companion.state.revision
        let silent = nowUs >= mayHearFromUs
        guard revision != sentRevision || silent || hasQueueNews else { return }
        guard !hasQueued, link.isReady else {
            noteStall(nowUs)
            return link.wantWritable()
        }
        let dueUs = sentUs + Microseconds(pace.minMs)
        if nowUs < dueUs, !mayHurry(nowUs) { return companion.subscribers.postpone(self, untilUs: dueUs) }
        // A room that replaces a deleted one has a queue that the client does not know.
        noticeLostRooms()
        sendQueueNews()
        sendState(full: false, orSilence: silent)
    }

    /// The latest time for the next message. It leaves a margin in case the loop is a little late.
    var mustHearByUs: Microseconds { sentUs + max(Microseconds(pace.maxMs) * 95 / 100, Microseconds(pace.minMs)) }

    /// The earliest time at which an empty message may leave together with those of other clients. For the paces of the profiles this is at
    /// least one tick before the latest one.
    private var mayHearFromUs: Microseconds { sentUs + Microseconds(pace.maxMs) * 7 / 10 }

    /// A new item, or play and pause, may break the pace a few times a second.
    func mayHurry(_ nowUs: Microseconds) -> Bool {
        guard companion.state.urgentRevision > sentRevision, nowUs - urgentUs >= 250_000 else { return false }
        urgentUs = nowUs
        return true
    }

    func sendState(full: Bool, orSilence: Bool = false) {
        noticeLostRooms()
        let full = full || owesWhole
        owesWhole = false
        let revision = companion.state.revision
        if tell(since: full ? nil : sentRevision) { return noteSent(revision) }
        guard orSilence else { return }
        let key = StateFrames.Key(room: room, namesRoom: rooms.count > 1, wanted: [], learnsNames: learnsNames, since: sentRevision)
        send(companion.write([], key))
        noteSent(revision)
    }

    /// Sends the changes in the followed rooms, or the whole state. False if nothing has changed.
    private func tell(since: Int?) -> Bool {
        guard rooms.count > 1 else {
            let key = StateFrames.Key(room: room, namesRoom: since == nil, wanted: wanted, learnsNames: learnsNames, since: since)
            guard let frame = companion.frame(for: key) else { return false }
            send(frame) { companion.parts(of: key, within: $0) }
            return true
        }
        let keys = keys(since: { _ in since }).filter { key in
            guard let since else { return true }
            return !companion.state.newer(than: since, of: key.wanted, in: key.room).isEmpty
        }
        tell(keys) { key in
            if let frame = companion.frame(for: key) { send(frame) { companion.parts(of: key, within: $0) } }
        }
        return !keys.isEmpty
    }

    /// The sections in the form of this client's view and role: below `remote` it learns no names of other people.
    func shape(_ sections: SectionSet) -> SectionSet { view.shape(of: sections, for: identity.role) }

    /// One key for each room. The hub's own sections are sent with the first.
    func keys(since: (RoomID) -> Int?) -> [StateFrames.Key] {
        rooms.enumerated().map { index, room in
            StateFrames.Key(
                room: room, namesRoom: true, wanted: index == 0 ? wanted : wanted.intersection(.ofRooms), learnsNames: learnsNames,
                since: since(room))
        }
    }

    /// Sends several messages, of which only the last one carries the hub's current revision.
    func tell(_ keys: [StateFrames.Key], from told: Int? = nil, _ say: (StateFrames.Key) -> Void) {
        let told = told ?? (sentRevision > 0 ? sentRevision : nil)
        for (index, key) in keys.enumerated() {
            var key = key
            if index < keys.count - 1 { key.leadsTo = told }
            say(key)
        }
    }

    /// Stops following deleted rooms. A session without any room then follows the hub's first one. The hub's own sections are sent with the
    /// first room, so everything is sent again.
    func noticeLostRooms() {
        guard roomsLost != companion.state.lostRooms else { return }
        roomsLost = companion.state.lostRooms
        // One that was made since, with the id of a deleted one, has another queue, whose steps count from the beginning again.
        queueTold = queueTold?.filter { !companion.state.wasMade($0.key, after: sentRevision) || !rooms.contains($0.key) }
        let lost = rooms.filter { !companion.state.has($0, for: identity) }
        guard !lost.isEmpty else { return }
        rooms = rooms.filter { !lost.contains($0) }
        if rooms.isEmpty { rooms = [companion.state.firstRoom] }
        owesWhole = true
        for room in lost { refuse(ProtocolFault(noRoom: room)) }
        if isPresent { companion.ports.attendance.turned(self, from: wanted) }
    }

    /// The state that this remote of one room lacks, counted as sent. All but the last message of several leave at once.
    func takeState(at revision: Int) -> Frame? {
        let key = StateFrames.Key(room: room, namesRoom: false, wanted: wanted, learnsNames: learnsNames, since: sentRevision)
        guard let frame = companion.frame(for: key) else { return nil }
        noteSent(revision)
        guard let longest, frame.payloadCount > longest else { return frame }
        var parts = companion.parts(of: key, within: longest)
        let last = parts.popLast()
        for part in parts { send(part) }
        return last
    }

    func noteSent(_ revision: Int) {
        sentRevision = revision
        sentUs = companion.reactor.nowUs
    }

    // MARK: Lanes

    /// Sends a state message, or the parts of it if it exceeds the client's size limit.
    func send(_ frame: Frame, or parts: (_ longest: Int) -> [Frame]) {
        guard let longest, frame.payloadCount > longest else { return send(frame) }
        for part in parts(longest) { send(part) }
    }

    func send(_ frame: Frame) {
        guard let link else { return }
        if !hasQueued, link.isReady { return link.write(frame) }
        queued.append(frame)
        queuedBytes += frame.payloadCount
        noteStall(companion.reactor.nowUs)
        if queuedBytes > companion.limits.controlLane { return end(.tooSlowToRead, "Answers pile up faster than they are read.") }
        link.wantWritable()
    }

    func send(_ state: Frame?, then answer: Frame) {
        guard let state else { return send(answer) }
        if let link, !hasQueued, link.isReady { return link.write(state, then: answer) }
        send(state)
        send(answer)
    }

    func noteStall(_ nowUs: Microseconds) {
        if stalledSinceUs == nil { stalledSinceUs = nowUs }
    }
}

extension StateView {
    func shape(of sections: SectionSet, for role: Role) -> SectionSet {
        let shaped = shape(of: sections)
        return role < .remote ? shaped.withoutNames : shaped
    }
}

extension Frame {
    static func encoding(_ body: (inout JSONWriter) -> Void) -> Frame {
        var writer = JSONWriter(headroom: Frame.headroom)
        body(&writer)
        return Frame(storage: writer.finish())
    }

    /// A message of at most `longest` bytes; `nil` if it cannot be shortened enough.
    static func encoding(within longest: Int, _ body: (inout JSONWriter) -> Void) -> Frame? {
        JSONWriter.fitting(longest, headroom: Frame.headroom, body).map { Frame(storage: $0) }
    }
}
