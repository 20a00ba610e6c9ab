package import BatonSeams

/// The session bus of the desktop that this program runs in, by sd-bus.
///
/// `BusSession` is one connection to it.
@Loop
package final class SessionBus: DesktopBusOpening {
    private let reactor: any Reactor
    private let log: Log
    private let address: String?
    private let pace: BusPace

    /// The bus that the environment names, or the one that systemd opens for each user.
    package convenience init(reactor: any Reactor, log: Log, environment: [String: String]) {
        self.init(reactor: reactor, log: log, address: BusAddress.usual(in: environment))
    }

    package init(reactor: any Reactor, log: Log, address: String?, pace: BusPace = BusPace()) {
        self.reactor = reactor
        self.log = log
        self.address = address
        self.pace = pace
    }

    /// False where nothing names a bus, so that none can come.
    package var isNamed: Bool { address != nil }

    package func open(as names: [String], showing object: any BusObject, at path: String) -> any BusConnection {
        let session = BusSession(names, object, at: path, address: address, reactor: reactor, log: log, pace: pace)
        session.connect()
        return session
    }
}

/// Delays between attempts to reach a bus that is not there, whose start no event announces.
package struct BusPace: Sendable {
    package var first: Duration
    package var most: Duration

    package init(first: Duration = .seconds(1), most: Duration = .seconds(60)) {
        self.first = first
        self.most = most
    }

    /// The delay doubles after each failure.
    func delay(after failures: Int) -> Duration { min(first * (1 << min(failures, 16)), most) }
}
