import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// A client of version 1.3 at the path that it knows. It is told in a sentence that the hub speaks Core 1.0, and its connection is closed.
///
/// The hub's own page of that version asks whether there is another page after it has got a state, and then loads it. So it gets an empty
/// state first, and has two seconds until the same end.
@Loop
final class EarlierClient: LinkOwner {
    /// The path of the protocol before Core 1.0.
    static let path = "/companion/v1"
    static let sentence = "This hub speaks Core 1.0, at /baton. This client is older: update it, or load the page again."
    private static let reloading = Duration.seconds(2)

    private let companion: Companion
    private let address: String
    private let isOwnPage: Bool
    private var link: (any Link)?
    private var alarm: (any Alarm)?
    private var hasSpoken = false
    private var isRefused = false
    private var waiting: [Frame] = []

    init(_ companion: Companion, from address: String, isOwnPage: Bool) {
        self.companion = companion
        self.address = address
        self.isOwnPage = isOwnPage
    }

    func linkOpened(_ link: any Link) {
        self.link = link
        companion.earlierClientCame(from: address)
        link.bounds = companion.limits.linkBoundsBeforeWelcome
        closeLater()
    }

    func linkReceived(text: [UInt8]) { answer(text) }
    func linkReceived(binary: [UInt8]) { answer([]) }

    func linkWritable() {
        if !waiting.isEmpty { link?.write(waiting.removeFirst()) }
        send()
    }

    func linkClosed() {
        alarm?.cancel()
        guard link != nil else { return }
        link = nil
        companion.earlierClientLeft(from: address)
        companion.ports.connectionEnded()
    }

    /// Whatever it says first gets the same answer.
    private func answer(_ text: [UInt8]) {
        guard !hasSpoken else { return }
        hasSpoken = true
        guard isOwnPage else { return refuse() }
        waiting = [welcome(to: text), companion.write([], .init(room: companion.state.firstRoom, namesRoom: true, wanted: []))]
        send()
        alarm?.cancel()
        alarm = companion.reactor.after(Self.reloading) { [weak self] in self?.refuse() }
    }

    private func refuse() {
        waiting.append(.encoding { $0.error(WireError(ProtocolFault(.unsupportedVersion, Self.sentence))) })
        isRefused = true
        closeLater()
        send()
    }

    private func send() {
        guard let link else { return }
        while !waiting.isEmpty, link.isReady { link.write(waiting.removeFirst()) }
        if !waiting.isEmpty { return link.wantWritable() }
        if isRefused { link.close(CloseCode.version.rawValue, Self.sentence) }
    }

    /// Bounds the time of a client that says nothing, or does not read.
    private func closeLater() {
        alarm?.cancel()
        alarm = companion.reactor.after(.milliseconds(companion.limits.helloWithinMs)) { [weak self] in
            self?.link?.close(CloseCode.tooSlowToArrive.rawValue, "No hello came in time.")
        }
    }

    /// A `welcome` of version 1.3 that grants as little as there is. Its epoch is no hub's, so that nothing is kept of it.
    private func welcome(to text: [UInt8]) -> Frame {
        let nowUs = companion.reactor.nowUs
        let hello = try? JSON.parse(text.span, limits: companion.limits.json)
        return .encoding { writer in
            writer.object { welcome in
                welcome.member("t", "welcome")
                welcome.member("v", 1)
                welcome.member("sess", "s_0")
                welcome.member("epoch", "earlier")
                welcome.member("boot", companion.ports.identity.boot)
                welcome.member("role", Role.listener.rawValue)
                welcome.member("caps", [String]())
                welcome.member("pace", 20...20_000)
                welcome.member("t1", ifPresent: hello?["t1"]?.int)
                welcome.member("t2", nowUs)
                welcome.member("t3", nowUs)
            }
        }
    }
}
