/// The session bus of a desktop, on which programs show objects to each other. The edge of the same name implements it; a machine without
/// a session bus has one that is never connected.
@Loop
package protocol DesktopBusOpening: AnyObject {
    /// Opens a connection of its own that shows `object` at `path`, under the first of `names` that is free. It connects when there is a
    /// bus, again whenever that comes back, and lasts until `close`.
    func open(as names: [String], showing object: any BusObject, at path: String) -> any BusConnection
}

@Loop
package protocol BusConnection: AnyObject {
    var state: BusState { get }
    /// Tells programs the changed values of an interface, and the names of properties that they should read again. Nothing is sent while
    /// there is no connection, because a program that comes later reads everything.
    func announce(_ changed: [String: BusValue], outdated: [String], of interface: String)
    /// Sends a signal of the object.
    func send(_ signal: String, of interface: String, _ arguments: [BusValue])
    /// Leaves the bus, so that programs see the object vanish. Calls without an answer get none.
    func close()
}

/// The state of a connection to the bus.
package enum BusState: Equatable, Sendable {
    /// There is no session bus; tried again from time to time if the environment names one.
    case noBus
    case connecting
    /// Programs see the object under this name.
    case connected(as: String)
    /// The reason why not, for people; tried again from time to time.
    case failed(String)
    case closed
}

/// A program on the bus that asks for something.
package struct BusCaller: Hashable, Sendable {
    /// Its unique name, such as `:1.42`, which the bus never gives to another.
    package var name: String
    /// The user whose program it is, as the bus says.
    package var uid: UInt32

    package init(name: String, uid: UInt32) {
        self.name = name
        self.uid = uid
    }
}

/// A call of a method, with arguments of the declared types.
package struct BusCall: Sendable {
    package var interface: String
    package var method: String
    package var arguments: [BusValue]
    package var caller: BusCaller

    package init(_ method: String, of interface: String, _ arguments: [BusValue], from caller: BusCaller) {
        self.interface = interface
        self.method = method
        self.arguments = arguments
        self.caller = caller
    }
}

/// An object that programs on the bus see. The connection checks names, types and access by `interfaces` before it asks.
@Loop
package protocol BusObject: AnyObject {
    var interfaces: [BusInterface] { get }
    /// The value of a property; `nil` for an optional one that is not there now.
    func value(of property: String, in interface: String) -> BusValue?
    /// Sets a property to a value of its type. `answer` is called once.
    func set(
        _ property: String, in interface: String, to value: BusValue, from caller: BusCaller, answer: @escaping @Loop (BusFault?) -> Void)
    /// Carries out a call. `answer` is called once, with values of the declared types.
    func take(_ call: BusCall, answer: @escaping @Loop (Result<[BusValue], BusFault>) -> Void)
    /// Called when a program that has called or set something has left the bus.
    func left(_ caller: BusCaller)
    func connectionChanged(to state: BusState)
}

/// A refusal, as D-Bus names it.
package struct BusFault: Error, Equatable, Sendable {
    /// The name of the error, such as `org.freedesktop.DBus.Error.InvalidArgs`.
    package var name: String
    /// The sentence for people.
    package var sentence: String

    private init(standard word: String, _ sentence: String) {
        name = "org.freedesktop.DBus.Error." + word
        self.sentence = sentence
    }

    package static func invalidArguments(_ sentence: String) -> BusFault { BusFault(standard: "InvalidArgs", sentence) }
    package static func failed(_ sentence: String) -> BusFault { BusFault(standard: "Failed", sentence) }
    package static func notSupported(_ sentence: String) -> BusFault { BusFault(standard: "NotSupported", sentence) }
    package static func accessDenied(_ sentence: String) -> BusFault { BusFault(standard: "AccessDenied", sentence) }
    package static func limitsExceeded(_ sentence: String) -> BusFault { BusFault(standard: "LimitsExceeded", sentence) }
    package static func unknownObject(_ path: String) -> BusFault { BusFault(standard: "UnknownObject", "There is no object \(path).") }
    package static func unknownInterface(_ name: String) -> BusFault {
        BusFault(standard: "UnknownInterface", "The object has no interface \(name).")
    }
    package static func unknownMethod(_ name: String) -> BusFault { BusFault(standard: "UnknownMethod", "There is no method \(name).") }
    package static func unknownProperty(_ name: String) -> BusFault {
        BusFault(standard: "UnknownProperty", "There is no property \(name).")
    }
    package static func readOnly(_ name: String) -> BusFault {
        BusFault(standard: "PropertyReadOnly", "The property \(name) cannot be set.")
    }
}
