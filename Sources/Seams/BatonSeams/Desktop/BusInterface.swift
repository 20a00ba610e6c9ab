/// An interface of D-Bus: the methods, properties and signals of an object under one name.
package struct BusInterface: Sendable {
    /// A named and typed part of a call or a signal.
    package struct Argument: Sendable {
        package var name: String
        package var type: String

        package init(_ name: String, _ type: String) {
            self.name = name
            self.type = type
        }
    }

    package struct Method: Sendable {
        package var name: String
        package var takes: [Argument]
        package var gives: [Argument]

        package init(_ name: String, takes: [Argument] = [], gives: [Argument] = []) {
            self.name = name
            self.takes = takes
            self.gives = gives
        }
    }

    package struct Property: Sendable {
        /// The way in which programs learn of a change.
        package enum Announcement: String, Sendable {
            /// With the value.
            case value = "true"
            /// By name, and they read the value when they need it.
            case name = "invalidates"
            /// It never changes.
            case constant = "const"
            /// They are not told.
            case none = "false"
        }

        package var name: String
        package var type: String
        package var isWritable: Bool
        package var announcement: Announcement

        package init(_ name: String, _ type: String, isWritable: Bool = false, announcement: Announcement = .value) {
            self.name = name
            self.type = type
            self.isWritable = isWritable
            self.announcement = announcement
        }
    }

    package struct Signal: Sendable {
        package var name: String
        package var carries: [Argument]

        package init(_ name: String, carries: [Argument]) {
            self.name = name
            self.carries = carries
        }
    }

    package var name: String
    package var methods: [Method]
    package var properties: [Property]
    package var signals: [Signal]

    package init(_ name: String, methods: [Method] = [], properties: [Property] = [], signals: [Signal] = []) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }
}
