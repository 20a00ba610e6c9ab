package import BatonSeams

/// A bus in memory that notes what players tell, and carries calls to them.
@Loop
package final class MemoryBus: DesktopBusOpening {
    package private(set) var players: [MemoryPlayer] = []
    /// Whether the desktop has a session bus yet.
    package var isThere = true

    package init() {}

    package func open(as names: [String], showing object: any BusObject, at path: String) -> any BusConnection {
        let player = MemoryPlayer(names[0], object)
        players.append(player)
        if isThere { player.connect() }
        return player
    }

    package func player(_ name: String) -> MemoryPlayer? {
        players.last { $0.name == "org.mpris.MediaPlayer2.baton.\(name)" && $0.state != .closed }
    }
}

/// One player as programs on the bus see it.
@Loop
package final class MemoryPlayer: BusConnection {
    package let name: String
    package let object: any BusObject
    package private(set) var state = BusState.noBus
    package private(set) var changes: [(interface: String, changed: [String: BusValue], outdated: [String])] = []
    package private(set) var signals: [(name: String, arguments: [BusValue])] = []
    /// The properties as a program knows them that read all once and has followed the changes since.
    package private(set) var known: [String: [String: BusValue]] = [:]

    init(_ name: String, _ object: any BusObject) {
        self.name = name
        self.object = object
    }

    package func connect() {
        state = .connected(as: name)
        object.connectionChanged(to: state)
        known = Dictionary(uniqueKeysWithValues: object.interfaces.map { ($0.name, read($0)) })
    }

    /// The properties of an interface that programs are told of, as they are now.
    package func read(_ interface: BusInterface) -> [String: BusValue] {
        let names = interface.properties.filter { $0.announcement == .value || $0.announcement == .name }.map(\.name)
        return Dictionary(uniqueKeysWithValues: names.compactMap { name in self[name, of: interface.name].map { (name, $0) } })
    }

    package func disconnect() {
        state = .noBus
        object.connectionChanged(to: state)
    }

    package func announce(_ changed: [String: BusValue], outdated: [String], of interface: String) {
        if !changed.isEmpty || !outdated.isEmpty { changes.append((interface, changed, outdated)) }
        known[interface, default: [:]].merge(changed) { _, new in new }
        for name in outdated { known[interface]?[name] = self[name, of: interface] }
    }

    package func send(_ signal: String, of interface: String, _ arguments: [BusValue]) { signals.append((signal, arguments)) }
    package func close() {
        state = .closed
        object.connectionChanged(to: state)
    }

    package func forget() {
        changes = []
        signals = []
    }

    // MARK: Programs

    package static let interface = "org.mpris.MediaPlayer2.Player"

    package subscript(_ property: String, of interface: String = MemoryPlayer.interface) -> BusValue? {
        object.value(of: property, in: interface)
    }

    /// The last announced value of a property.
    package func announced(_ property: String) -> BusValue? { changes.last { $0.changed[property] != nil }?.changed[property] }

    /// The answer to a call of a program; `nil` while there is none.
    @discardableResult
    package func call(
        _ method: String, _ arguments: BusValue..., of interface: String = MemoryPlayer.interface, by name: String = ":1.7",
        uid: UInt32 = 1000
    ) -> Result<[BusValue], BusFault>? {
        var result: Result<[BusValue], BusFault>?
        object.take(BusCall(method, of: interface, arguments, from: BusCaller(name: name, uid: uid))) { result = $0 }
        return result
    }

    /// The refusal, or `nil`.
    @discardableResult
    package func set(_ property: String, _ value: BusValue, uid: UInt32 = 1000) -> BusFault? {
        var fault: BusFault?
        object.set(property, in: MemoryPlayer.interface, to: value, from: BusCaller(name: ":1.7", uid: uid)) { fault = $0 }
        return fault
    }

    package func leave(_ name: String = ":1.7", uid: UInt32 = 1000) { object.left(BusCaller(name: name, uid: uid)) }
}
