import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// The greeting: from the first message to the first state.
extension Session {
    func greet(_ message: ClientMessage, _ text: [UInt8], receivedUs: Microseconds) {
        guard case .greeting(let messages) = phase else { return }
        // Attempts to pair have their own limit.
        if case .pair = message, introduction != nil {} else { phase = .greeting(messages: messages + 1) }
        if messages >= companion.limits.messagesBeforeWelcome { return end(.malformed, "Too many messages before welcome.") }
        if case .hello(let hello) = message, introduction == nil { longest = hello.longest }
        switch message {
        case .hello(let hello) where !grant.needsProof: welcome(hello, receivedUs: receivedUs)
        case .hello(let hello) where introduction == nil: challenge(hello, text)
        case .authenticate(let asked): authenticate(asked, receivedUs: receivedUs)
        case .pair(let message): pair(message)
        case .bye: end(.normal, "")
        // A second hello, too: the challenge answers the first one, and proofs cover that.
        default: end(.malformed, "The first message must be hello.")
        }
    }

    /// Capabilities beyond those that every client has.
    private static let knownCaps = ["art", "reasons"]

    /// Ends a greeting that could not be read. A client of another version is told so.
    func refuseGreeting(_ fault: ProtocolFault) {
        guard fault.code == .unsupportedVersion, introduction == nil else { return end(.malformed, fault.sentence) }
        refuse(fault)
        end(.version, fault.sentence)
    }

    /// Signs in with the one-time link of the hub's own machine; an invalid link is reported.
    private func takeTicket(of hello: Hello) -> ProtocolFault? {
        guard let ticket = hello.ticket, case .loopback = link?.peer.channel else { return nil }
        guard companion.ports.devices?.admits(hello.client.id, with: ticket) == true else {
            return ProtocolFault(
                .forbidden, "This link was used already or is too old. Ask for another one: baton web", at: "/ticket")
        }
        grant.role = .admin
        return nil
    }

    func welcome(_ hello: Hello, receivedUs: Microseconds, mac: [UInt8]? = nil) {
        let badTicket = takeTicket(of: hello)
        let badUser = takeUser(of: hello)
        view = StateView(rawValue: hello.view) ?? .remote
        pace = view.pace
        askedSections = view.sections
        introduce(hello)
        wanted = shape(askedSections)
        learnsNames = identity.role.learnsNames
        caps = hello.caps.filter(Self.knownCaps.contains)
        takesPictures = caps.contains("art")
        givesReasons = caps.contains("reasons")
        let asked = choice(of: hello)
        rooms = asked.filter { companion.state.has($0, for: identity) }
        if rooms.isEmpty { rooms = [companion.state.firstRoom] }
        if hello.rooms != nil, let chosen = rooms.first { remember(chosen) }
        if let fault = companion.ports.attendance.refusal(of: identity, from: room) { return sendOut(fault) }
        isPresent = true
        companion.ports.attendance.enter(self)
        if let name = hello.client.run {
            let run = Run(principal: identity.principal, run: name)
            self.run = run
            guard companion.subscribers.introduce(self, as: run) else { return }
        }
        // Clients on this machine, or on its socket file, count only towards the total.
        if isFromElsewhere,
            companion.ports.attendance.connections(of: identity.principal) > companion.limits.connectionsPerDevice
        {
            return end(.flooding, "This device has as many connections as one may have.")
        }
        phase = .live
        link?.bounds = companion.limits.linkBounds(with: view)
        send(welcomeFrame(hello, receivedUs: receivedUs, mac: mac))
        for fault in [badTicket, badUser] { if let fault { refuse(fault) } }
        for lost in asked where !companion.state.has(lost, for: identity) { refuse(ProtocolFault(noRoom: lost)) }
        sendFirstState(hello.resume)
    }

    /// True for a network connection that is not counted as a single device.
    private var isFromElsewhere: Bool {
        switch link?.peer.channel {
        case .network: true
        case .tls: identity.device == nil
        default: false
        }
    }

    /// Without the profiles where they do not fit into the frames of a small client.
    func welcomeFrame(_ hello: Hello, receivedUs: Microseconds, mac: [UInt8]?) -> Frame {
        var welcome = Welcome(
            core: CoreVersion.text, view: hello.view == view.rawValue ? nil : .remote,
            features: companion.ports.profiles.features(knownTo: hello.features), session: "s_\(id)", epoch: companion.state.epoch,
            boot: companion.ports.identity.boot, role: identity.role, span: companion.ports.span(of: identity),
            who: view == .watch ? nil : identity.who, caps: caps, pace: pace, longest: longest, mac: mac.map(Base64URL.text),
            clock: ClockSample(t1: hello.t1, t2: receivedUs.count, t3: companion.reactor.nowUs.count))
        if let longest, Frame.encoding(within: longest, welcome.encode) == nil { welcome.features = [] }
        return message(welcome.encode)
    }

    /// The rooms that `hello` names, else those the session still follows, else the last choice of the client.
    private func choice(of hello: Hello) -> [RoomID] {
        if let named = hello.rooms { return Self.distinct(named) }
        if let held = hello.resume?.rooms, !held.isEmpty { return Self.distinct(held) }
        // It did not ask for this room, so it gets no notice if the room is gone.
        return companion.ports.choices.room(of: identity.principal).flatMap { !companion.state.has($0) ? nil : [$0] } ?? []
    }

    /// Stores the choice for the next connection. A private room will be gone by then.
    func remember(_ chosen: RoomID) {
        if !companion.state.isPrivate(chosen) { companion.ports.choices.remember(chosen, of: identity.principal) }
    }

    /// The rooms without duplicates, in their order.
    static func distinct(_ rooms: [RoomID]) -> [RoomID] {
        rooms.enumerated().filter { !rooms[..<$0.offset].contains($0.element) }.map(\.element)
    }

    /// Sends the whole state of each room, or only the changes since the client's copy.
    func sendFirstState(_ resume: Hello.Resume?) {
        let revision = companion.state.revision
        guard let resume, resume.epoch == companion.state.epoch, resume.revision <= revision else { return sendState(full: true) }
        // A copy without rooms comes from a client that followed a single one.
        let held = resume.rooms.isEmpty && rooms.count == 1 ? rooms : resume.rooms
        tell(keys { held.contains($0) ? resume.revision : nil }, from: resume.revision) { key in
            let sections =
                key.since == nil
                ? companion.state.present(of: key.wanted, in: key.room) : lacking(resume, of: key.wanted, in: key.room)
            send(companion.write(sections, key)) { companion.parts(sections, key, within: $0) }
        }
        noteSent(revision)
    }

    private func lacking(_ resume: Hello.Resume, of wanted: SectionSet, in room: RoomID) -> SectionSet {
        let held = shape(resume.sections).intersection(wanted)
        let newer = companion.state.newer(than: resume.revision, of: held, in: room)
        return newer.union(companion.state.present(of: wanted.subtracting(held), in: room))
    }
}

extension WireLimits {
    /// The limits for a peer that is not known yet.
    var linkBoundsBeforeWelcome: LinkBounds {
        LinkBounds(
            textBytes: frameBeforeWelcome, binaryBytes: frameBeforeWelcome, patience: patience(with: .full), allowance: frameAllowance)
    }

    func linkBounds(with view: StateView) -> LinkBounds {
        LinkBounds(textBytes: clientFrame, binaryBytes: binaryFrame, patience: patience(with: view), allowance: frameAllowance)
    }

    /// The frame limit grows with the command limit, so that one setting is enough.
    private var frameAllowance: FrameAllowance {
        FrameAllowance(
            perSecond: max(framesPerSecond, 2 * commandsPerSecond), burst: max(frameBurst, 2 * commandBurst), late: floodRejections,
            windowMs: floodWindowMs)
    }

    private func patience(with view: StateView) -> Patience {
        view == .watch ? Patience(pingMs: watchPingMs, endMs: watchSilenceMs) : Patience(pingMs: pingMs, endMs: silenceMs)
    }
}
