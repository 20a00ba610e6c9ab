package import BatonCore
package import BatonSeams

/// One connection through a simulated network, with a hub's session at one end and a client at the
/// other.
///
/// Messages take time and keep their order, each way. The pipe to the client holds a bounded number
/// of bytes; while the client does not read, it fills up and the hub is told that it is not ready. A connection
/// can be cut, with what is under way lost or still arriving, or become half open: then the client
/// has gone and the hub does not know.
@Loop
package final class SimulatedLink: Link {
    package let peer: Peer
    package let exporter: [UInt8]? = nil
    package var bounds = LinkBounds(
        textBytes: 4096, binaryBytes: 4096, patience: Patience(pingMs: 20_000, endMs: 45_000),
        allowance: FrameAllowance(perSecond: 100, burst: 500, late: 200, windowMs: 10_000))
    /// What the client is told.
    package var onMessage: (([UInt8]) -> Void)?
    package var onEnd: ((UInt16?) -> Void)?
    /// The session wrote when it was not allowed to.
    package private(set) var misuses = 0
    /// With which code the hub has closed it.
    package private(set) var closeCode: UInt16?

    private let time: VirtualTime
    private let life: Lifetime
    private let latencyUs: () -> Microseconds
    private let trace: FrameTrace?
    private let number: Int
    private var owner: (any LinkOwner)?
    package static let pipeBytes = 16 * 1024

    // The hub's end.
    private var isOpenAtHub = true
    private var wantsWritable = false
    private var mayWrite = false
    private var lastUpUs: Microseconds = 0

    // The client's end.
    private var isOpenAtClient = true
    private var pipe: [[UInt8]] = []
    private var pipeCount = 0
    private var lastDownUs: Microseconds = 0
    private var carriesDown = true
    private var carriesUp = true
    package var isReading = true { didSet { if isReading, !oldValue { drain() } } }

    package init(
        owner: any LinkOwner, peer: Peer, time: VirtualTime, life: Lifetime, latencyUs: @escaping () -> Microseconds,
        trace: FrameTrace? = nil
    ) {
        self.owner = owner
        self.peer = peer
        self.time = time
        self.life = life
        self.latencyUs = latencyUs
        self.trace = trace
        number = trace?.enter() ?? 0
        owner.linkOpened(self)
    }

    // MARK: As the hub sees it

    private var isHubThere: Bool { isOpenAtHub && !life.isOver }
    package var isReady: Bool { isHubThere && pipeCount < Self.pipeBytes }

    package func write(_ frame: Frame) {
        guard isHubThere else { return }
        if !isReady, !mayWrite { misuses += 1 }
        mayWrite = false
        let bytes = Array(frame.payload)
        trace?.add(bytes, of: number)
        pipe.append(bytes)
        pipeCount += bytes.count
        lastDownUs = max(lastDownUs, time.nowUs + latencyUs())
        _ = time.after(.microseconds(lastDownUs - time.nowUs)) { [weak self] in self?.drain() }
    }

    package func write(_ frame: Frame, then next: Frame) {
        let allowed = isReady || mayWrite
        write(frame)
        mayWrite = allowed
        write(next)
    }

    package func wantWritable() {
        guard !wantsWritable else { return }
        wantsWritable = true
        _ = time.after(.zero) { [weak self] in self?.becomeWritable() }
    }

    private func becomeWritable() {
        guard wantsWritable, isReady else { return }
        wantsWritable = false
        mayWrite = true
        owner?.linkWritable()
        mayWrite = false
    }

    package func close(_ code: UInt16, _ reason: String) {
        guard isHubThere, closeCode == nil else { return }
        closeCode = code
        trace?.add(Array("close \(code) \(reason)".utf8), of: number)
        endAtHub(afterUs: 0)
        guard carriesDown else { return }
        _ = time.after(.microseconds(latencyUs())) { [weak self] in self?.endAtClient(code) }
    }

    private func endAtHub(afterUs delay: Microseconds) {
        _ = time.after(.microseconds(delay)) { [weak self] in
            guard let self, self.isOpenAtHub else { return }
            let there = self.isHubThere
            self.isOpenAtHub = false
            let owner = self.owner
            self.owner = nil
            if there { owner?.linkClosed() }
        }
    }

    // MARK: As the client sees it

    /// What has arrived by now is read, unless the client is busy with something else.
    private func drain() {
        while isReading, carriesDown, isOpenAtClient, !pipe.isEmpty {
            let bytes = pipe.removeFirst()
            pipeCount -= bytes.count
            onMessage?(bytes)
            if lastDownUs > time.nowUs { break }
        }
        if pipe.isEmpty { pipeCount = 0 }
        becomeWritable()
    }

    package func send(_ text: [UInt8]) {
        guard isOpenAtClient, carriesUp else { return }
        lastUpUs = max(lastUpUs, time.nowUs + latencyUs())
        _ = time.after(.microseconds(lastUpUs - time.nowUs)) { [weak self] in
            guard let self, self.carriesUp, self.isHubThere, self.closeCode == nil else { return }
            self.owner?.linkReceived(text: text)
        }
    }

    private func endAtClient(_ code: UInt16?) {
        guard isOpenAtClient else { return }
        isOpenAtClient = false
        let told = onEnd
        onEnd = nil
        onMessage = nil
        told?(code)
    }

    // MARK: What befalls it

    /// Both ends learn of it; what the client has sent may still arrive.
    package func cut(arriving: Bool, noticedAfterUs: Microseconds) {
        carriesDown = false
        if !arriving { carriesUp = false }
        endAtHub(afterUs: max(noticedAfterUs, lastUpUs - time.nowUs + 1))
        endAtClient(nil)
    }

    /// The client has gone and the hub is not told.
    package func becomeHalfOpen(arriving: Bool) {
        carriesDown = false
        if !arriving { carriesUp = false }
    }

    /// The client gives a silent connection up. A live hub hears nothing of it either.
    package func abandon() { endAtClient(nil) }

    /// The machine's own keep-alive got no answer.
    package func timeOut() { endAtHub(afterUs: 0) }

    /// The hub's process has died.
    package func hubDied() {
        guard isOpenAtHub else { return }
        isOpenAtHub = false
        owner = nil
        guard carriesDown else { return }
        _ = time.after(.microseconds(latencyUs())) { [weak self] in self?.endAtClient(nil) }
    }
}
