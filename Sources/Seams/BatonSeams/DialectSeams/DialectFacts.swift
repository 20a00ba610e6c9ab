/// Facts about dialects that the hub's owner can switch, for `baton doctor`, the page's settings and the list of people.
package import BatonCore
package import BatonProtocol

/// The state of a dialect as people see it.
package struct DialectFacts: Equatable, Sendable {
    /// True when it is switched on, also while a problem keeps it from running.
    package var isOn: Bool
    /// Addresses and socket files at which programs reach it.
    package var addresses: [String]
    /// The reason why it does not run, or runs only in part; `nil` while all is well.
    package var problem: String?
    /// The programs that are connected, the one that came first at the beginning.
    package var connections: [Connection]

    /// One connected program.
    package struct Connection: Equatable, Sendable {
        /// Its address, its bus name, or the user of the socket.
        package var address: String
        /// The name of its password; `nil` without one.
        package var password: String?
        package var role: Role
        package var room: RoomID
        /// The name of its last command, without arguments, which may be secret; `nil` before the first.
        package var lastCommand: String?
        /// Wall clock time of that command.
        package var lastMs: Milliseconds?

        package init(
            address: String, password: String? = nil, role: Role, room: RoomID, lastCommand: String? = nil, lastMs: Milliseconds? = nil
        ) {
            self.address = address
            self.password = password
            self.role = role
            self.room = room
            self.lastCommand = lastCommand
            self.lastMs = lastMs
        }
    }

    package init(isOn: Bool, addresses: [String] = [], problem: String? = nil, connections: [Connection] = []) {
        self.isOn = isOn
        self.addresses = addresses
        self.problem = problem
        self.connections = connections
    }
}

/// A dialect that the hub's owner can switch on and off while the hub runs.
@Loop
package protocol SwitchedDialect: AnyObject {
    /// The name in commands, such as `mpd`.
    var name: String { get }
    var facts: DialectFacts { get }
    /// Begins or stops to listen; connections end when it is switched off. A dialect that cannot listen has a problem and stays on.
    func turn(on isOn: Bool) async
    /// Called after a password was made or removed. The dialect ends connections that a removed one has let in.
    func passwordsChanged()
}
