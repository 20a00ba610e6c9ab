import BatonSeams

/// The description of an object in XML, by which programs of the bus learn what they may call.
enum Introspection {
    /// The object with its own interfaces and those that every object has.
    static func text(of interfaces: [BusInterface]) -> String {
        page((interfaces + StandardInterfaces.all).map(element).joined())
    }

    /// A path that only leads to the object.
    static func text(leadingTo child: String) -> String { page("<node name=\"\(child)\"/>\n") }

    private static func page(_ content: String) -> String {
        """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
        \(content)</node>

        """
    }

    // Names and types are our own constants, so none needs an escape.
    private static func element(_ interface: BusInterface) -> String {
        var text = "<interface name=\"\(interface.name)\">\n"
        for method in interface.methods {
            text += "<method name=\"\(method.name)\">\n"
            for argument in method.takes { text += line(argument, " direction=\"in\"") }
            for argument in method.gives { text += line(argument, " direction=\"out\"") }
            text += "</method>\n"
        }
        for property in interface.properties {
            let access = property.isWritable ? "readwrite" : "read"
            text += "<property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(access)\">\n"
            text += "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(property.announcement.rawValue)\"/>\n"
            text += "</property>\n"
        }
        for signal in interface.signals {
            text += "<signal name=\"\(signal.name)\">\n" + signal.carries.map { line($0, "") }.joined() + "</signal>\n"
        }
        return text + "</interface>\n"
    }

    private static func line(_ argument: BusInterface.Argument, _ direction: String) -> String {
        "<arg name=\"\(argument.name)\" type=\"\(argument.type)\"\(direction)/>\n"
    }
}

/// The interfaces that the connection itself answers for each object. sd-bus answers `Peer`.
enum StandardInterfaces {
    static let introspectable = BusInterface(
        "org.freedesktop.DBus.Introspectable", methods: [.init("Introspect", gives: [.init("xml_data", "s")])])

    static let properties = BusInterface(
        "org.freedesktop.DBus.Properties",
        methods: [
            .init("Get", takes: [.init("interface_name", "s"), .init("property_name", "s")], gives: [.init("value", "v")]),
            .init("GetAll", takes: [.init("interface_name", "s")], gives: [.init("properties", "a{sv}")]),
            .init("Set", takes: [.init("interface_name", "s"), .init("property_name", "s"), .init("value", "v")]),
        ],
        signals: [
            .init(
                "PropertiesChanged",
                carries: [.init("interface_name", "s"), .init("changed_properties", "a{sv}"), .init("invalidated_properties", "as")])
        ])

    static let peer = BusInterface(
        "org.freedesktop.DBus.Peer", methods: [.init("GetMachineId", gives: [.init("machine_uuid", "s")]), .init("Ping")])

    static let all = [introspectable, properties, peer]
}
