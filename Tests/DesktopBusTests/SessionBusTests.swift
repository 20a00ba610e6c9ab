import BatonSeams
import EventLoop
import Foundation
import Harness
import Testing

@testable import DesktopBus

/// An object on a real bus, as programs see it that are not ours.
@Suite struct SessionBusTests {
    private let quick = BusPace(first: .milliseconds(20), most: .milliseconds(100))

    @Loop private func shown(
        _ object: SampleObject, on bus: PrivateBus, as names: [String] = [SampleObject.name]
    ) async throws -> any BusConnection {
        let session = SessionBus(reactor: try await EventLoop.background(), log: .silent, address: bus.address, pace: quick)
        let connection = session.open(as: names, showing: object, at: SampleObject.path)
        try await onLoopUntil { if case .connected = connection.state { true } else { false } }
        return connection
    }

    private func call(_ bus: PrivateBus, _ method: String, _ arguments: String...) async throws -> String {
        try await bus.run(
            "/usr/bin/dbus-send",
            ["--session", "--print-reply", "--dest=\(SampleObject.name)", SampleObject.path, method] + arguments)
    }

    private static let get = "org.freedesktop.DBus.Properties.Get"
    private static let set = "org.freedesktop.DBus.Properties.Set"
    private static let own = "string:org.example.Sample"

    @Test func `methods get typed arguments and give typed results`() async throws {
        try await onLoop {
            let (bus, object) = (try await PrivateBus(), SampleObject())
            let connection = try await shown(object, on: bus)
            defer { connection.close() }

            let double = try await call(bus, "org.example.Sample.Double", "int64:-21")
            let echo = try await call(bus, "org.example.Sample.Echo", "array:string:x,y", "objpath:/a/b", "boolean:true")

            #expect(double.contains("int64 -42"))
            #expect(echo.contains("array [") && echo.contains("object path \"/a/b\""))
            #expect(object.calls.map(\.method) == ["Double", "Echo"])
            #expect(object.calls[1].arguments == [.texts(["x", "y"]), .path("/a/b"), .boolean(true)])
            #expect(object.calls[0].caller.uid == getuid() && object.calls[0].caller.name.hasPrefix(":1."))
        }
    }

    @Test func `wrong types, names and paths are refused by the name of the error`() async throws {
        try await onLoop {
            let (bus, object) = (try await PrivateBus(), SampleObject())
            let connection = try await shown(object, on: bus)
            defer { connection.close() }
            let wrong: [(String, [String], String)] = [
                ("org.example.Sample.Double", ["string:1"], "InvalidArgs"), ("org.example.Sample.Double", [], "InvalidArgs"),
                ("org.example.Sample.Double", ["int64:1", "int64:2"], "InvalidArgs"),
                ("org.example.Sample.Nothing", [], "UnknownMethod"), ("org.example.Other.Double", ["int64:1"], "UnknownInterface"),
                (Self.get, [Self.own, "string:Nothing"], "UnknownProperty"), (Self.get, [Self.own, "string:Absent"], "UnknownProperty"),
                (Self.get, ["string:org.example.Other", "string:Level"], "UnknownInterface"), (Self.get, [Self.own], "InvalidArgs"),
                (Self.set, [Self.own, "string:Level", "variant:int32:1"], "InvalidArgs"),
                (Self.set, [Self.own, "string:Level", "variant:double:-1"], "InvalidArgs"),
                (Self.set, [Self.own, "string:Name", "variant:string:x"], "PropertyReadOnly"),
                ("org.freedesktop.DBus.Properties.Drop", [], "UnknownMethod"), ("org.example.Sample.Refuse", [], "NotSupported"),
                ("org.example.Sample.Bad", [], "Failed"),
            ]

            for (method, arguments, error) in wrong {
                let said = try await bus.run(
                    "/usr/bin/dbus-send",
                    ["--session", "--print-reply", "--dest=\(SampleObject.name)", SampleObject.path, method] + arguments)
                #expect(said.contains("org.freedesktop.DBus.Error.\(error)"), "\(method) \(arguments): \(said)")
            }
            let elsewhere = try await bus.call(SampleObject.name, "/org/example", "org.example.Sample.Double", "int64:1")
            #expect(elsewhere.contains("UnknownObject"))
            #expect(try await call(bus, "org.example.Sample.Double", "int64:1").contains("int64 2"))
        }
    }

    @Test func `properties are read, read all at once, and set`() async throws {
        try await onLoop {
            let (bus, object) = (try await PrivateBus(), SampleObject())
            let connection = try await shown(object, on: bus)
            defer { connection.close() }

            let name = try await call(bus, Self.get, Self.own, "string:Name")
            let all = try await call(bus, "org.freedesktop.DBus.Properties.GetAll", Self.own)
            let set = try await call(bus, Self.set, Self.own, "string:Level", "variant:double:0.25")

            #expect(name.contains("variant       string \"Küche\""))
            for part in ["\"Level\"", "double 0.5", "int64 7", "\"artists\"", "object path \"/a\""] { #expect(all.contains(part)) }
            #expect(!all.contains("Absent"))
            #expect(!set.contains("Error") && object.level == 0.25)
        }
    }

    @Test func `a program learns of the interfaces, and the way to the object`() async throws {
        try await onLoop {
            let (bus, object) = (try await PrivateBus(), SampleObject())
            let connection = try await shown(object, on: bus)
            defer { connection.close() }
            let introspect = "org.freedesktop.DBus.Introspectable.Introspect"

            let own = try await call(bus, introspect)
            let root = try await bus.call(SampleObject.name, "/", introspect)
            let half = try await bus.call(SampleObject.name, "/org/example", introspect)

            #expect(own.contains("<property name=\"Level\" type=\"d\" access=\"readwrite\">"))
            #expect(own.contains("<arg name=\"after\" type=\"o\" direction=\"in\"/>") && own.contains("<signal name=\"Jumped\">"))
            #expect(root.contains("<node name=\"org\"/>") && half.contains("<node name=\"Sample\"/>"))
            #expect(try await call(bus, "org.freedesktop.DBus.Peer.Ping").contains("method return"))
        }
    }

    @Test func `changes and signals reach those who listen`() async throws {
        try await onLoop {
            let (bus, object) = (try await PrivateBus(), SampleObject())
            let connection = try await shown(object, on: bus)
            defer { connection.close() }
            let file = bus.file("monitor")
            let monitor = try bus.start("/usr/bin/dbus-monitor", ["--session", "path=\(SampleObject.path)"], into: file)
            defer { monitor.signal(SIGTERM) }
            // dbus-monitor says when it listens by showing a signal.
            try await onLoopUntil {
                connection.send("Jumped", of: "org.example.Sample", [.int64(1)])
                return bus.text(file).contains("Jumped")
            }

            connection.announce(["Level": .double(0.75)], outdated: ["Facts"], of: "org.example.Sample")
            connection.announce([:], outdated: [], of: "org.example.Sample")
            connection.send("Jumped", of: "org.example.Sample", [.int64(2)])

            try await onLoopUntil { bus.text(file).contains("int64 2") }
            let said = bus.text(file)
            #expect(said.contains("PropertiesChanged") && said.contains("double 0.75") && said.contains("\"Facts\""))
            #expect(said.components(separatedBy: "PropertiesChanged").count == 2)
        }
    }

    @Test func `large and deep values are refused, and others are answered meanwhile`() async throws {
        try await onLoop {
            let (bus, object) = (try await PrivateBus(), SampleObject())
            let connection = try await shown(object, on: bus)
            defer { connection.close() }

            async let hostile = bus.run("/usr/bin/python3", ["-c", Self.hostile])
            for _ in 0..<5 {
                let begin = ContinuousClock.now
                let other = try await call(bus, "org.example.Sample.Double", "int64:4")
                #expect(other.contains("int64 8") && ContinuousClock.now - begin < .seconds(5))
            }

            let said = try await hostile
            #expect(said == "InvalidArgs InvalidArgs InvalidArgs UnknownMethod UnknownProperty 6\n", "\(said)")
            #expect(object.calls.allSatisfy { $0.method == "Double" } && object.calls.count == 6)
        }
    }

    private static let hostile = """
        import dbus
        bus = dbus.SessionBus()
        thing = bus.get_object("org.example.Sample", "/org/example/Sample", introspect=False)
        deep = dbus.Int32(1, variant_level=60)
        def refused(method, *words, interface="org.example.Sample", **more):
            try: thing.get_dbus_method(method, interface)(*words, timeout=60, **more)
            except dbus.DBusException as fault: return fault.get_dbus_name().split(".")[-1]
            return "nothing"
        properties = "org.freedesktop.DBus.Properties"
        print(
            refused("Echo", ["x"] * 200000, dbus.ObjectPath("/a"), True, signature="asob"),
            refused("Set", "org.example.Sample", "Level", deep, interface=properties, signature="ssv"),
            refused("Double", "x" * 5000000), refused("x" * 200), refused("Get", "org.example.Sample", "y" * 1000000, interface=properties),
            thing.Double(dbus.Int64(3), dbus_interface="org.example.Sample"))
        """

    @Test func `an answer may come later, and others are answered meanwhile`() async throws {
        try await onLoop {
            let (bus, object) = (try await PrivateBus(), SampleObject())
            let connection = try await shown(object, on: bus)
            defer { connection.close() }

            async let waiting = call(bus, "org.example.Sample.Later")
            try await onLoopUntil { object.later != nil }
            let other = try await call(bus, "org.example.Sample.Double", "int64:4")
            object.later?(.success([]))

            #expect(other.contains("int64 8"))
            #expect(try await waiting.contains("method return"))
        }
    }

    @Test func `a program that has acted and leaves is reported once`() async throws {
        try await onLoop {
            let (bus, object) = (try await PrivateBus(), SampleObject())
            let connection = try await shown(object, on: bus)
            defer { connection.close() }

            _ = try await call(bus, Self.get, Self.own, "string:Name")
            _ = try await call(bus, "org.example.Sample.Double", "int64:1")
            _ = try await call(bus, "org.example.Sample.Double", "int64:2")

            try await onLoopUntil { object.gone.count == 2 }
            #expect(object.gone == object.calls.map(\.caller))
            #expect(Set(object.gone).count == 2)
        }
    }

    @Test func `the bus may end and come again, and the object with it`() async throws {
        try await onLoop {
            let (bus, object) = (try await PrivateBus(), SampleObject())
            let connection = try await shown(object, on: bus)
            defer { connection.close() }
            _ = try await call(bus, "org.example.Sample.Double", "int64:1")

            bus.end()
            try await onLoopUntil { connection.state == .noBus }
            connection.send("Jumped", of: "org.example.Sample", [.int64(1)])
            let next = try await bus.again()
            try await onLoopUntil { connection.state == .connected(as: SampleObject.name) }

            #expect(object.gone.count == 1)
            #expect(object.states.prefix(2) == [.connected(as: SampleObject.name), .noBus])
            #expect(try await call(next, "org.example.Sample.Double", "int64:3").contains("int64 6"))
        }
    }

    @Test func `a bus that comes after the program is found`() async throws {
        try await onLoop {
            let (bus, object) = (try await PrivateBus(), SampleObject())
            bus.end()
            let session = SessionBus(reactor: try await EventLoop.background(), log: .silent, address: bus.address, pace: quick)
            let connection = session.open(as: [SampleObject.name], showing: object, at: SampleObject.path)
            defer { connection.close() }
            try await onLoopUntil { connection.state == .noBus }

            let next = try await bus.again()

            try await onLoopUntil { connection.state == .connected(as: SampleObject.name) }
            #expect(try await call(next, "org.example.Sample.Double", "int64:3").contains("int64 6"))
        }
    }

    @Test func `the first free name is taken, and without one the reason is told`() async throws {
        try await onLoop {
            let bus = try await PrivateBus()
            let (one, two, three) = (SampleObject(), SampleObject(), SampleObject())
            let first = try await shown(one, on: bus)
            let second = try await shown(two, on: bus, as: [SampleObject.name, "\(SampleObject.name).instance2"])
            let session = SessionBus(reactor: try await EventLoop.background(), log: .silent, address: bus.address, pace: quick)
            let third = session.open(as: [SampleObject.name], showing: three, at: SampleObject.path)
            defer { for connection in [second, third] { connection.close() } }

            #expect(second.state == .connected(as: "\(SampleObject.name).instance2"))
            try await onLoopUntil { three.states.contains { if case .failed = $0 { true } else { false } } }
            // Once the first leaves, its name is free.
            first.close()
            try await onLoopUntil { third.state == .connected(as: SampleObject.name) }
            #expect(one.states.last == .connected(as: SampleObject.name) || one.states.last == .closed)
        }
    }

    @Test func `a bus that hangs holds up nothing, and what waits for it is bounded`() async throws {
        try await onLoop {
            let (bus, object) = (try await PrivateBus(), SampleObject())
            let connection = try await shown(object, on: bus)
            defer { connection.close() }

            bus.stand()
            defer { bus.goOn() }
            let begin = ContinuousClock.now
            let text = BusValue.text(String(repeating: "x", count: 1_000))
            var sent = 0
            while connection.state == .connected(as: SampleObject.name), sent < 50_000 {
                connection.send("Jumped", of: "org.example.Sample", [text])
                sent += 1
            }

            #expect(sent < 50_000)
            #expect(ContinuousClock.now - begin < .seconds(20))
            if case .failed = connection.state {} else { Issue.record("\(connection.state)") }
        }
    }

    @Test func `without an address nothing is tried`() async throws {
        try await onLoop {
            let object = SampleObject()
            let session = SessionBus(reactor: try await EventLoop.background(), log: .silent, environment: [:])
            let connection = session.open(as: [SampleObject.name], showing: object, at: SampleObject.path)
            defer { connection.close() }

            #expect(connection.state == .noBus)
        }
    }

    @Test(
        arguments: [
            ("unix:path=/run/user/1/bus", nil, "unix:path=/run/user/1/bus"), (nil, "/run/user/1", "unix:path=/run/user/1/bus"),
            ("tcp:host=far,port=1;unix:path=/b", nil, "unix:path=/b"), ("tcp:host=far,port=1", "/run", nil), ("unixexec:path=x", nil, nil),
            (nil, "/tmp/ä b", "unix:path=/tmp/%c3%a4%20b/bus"), (nil, "run", nil), ("", "/run", "unix:path=/run/bus"), (nil, nil, nil),
        ] as [(String?, String?, String?)])
    func `only sockets of this machine are used`(named: String?, folder: String?, address: String?) {
        var environment: [String: String] = [:]
        environment["DBUS_SESSION_BUS_ADDRESS"] = named
        environment["XDG_RUNTIME_DIR"] = folder

        #expect(BusAddress.usual(in: environment) == address)
    }

    @Test(
        arguments: [
            ("unix:path=/run/user/1/bus,guid=7", "/run/user/1/bus"), ("unix:guid=7,path=/tmp/a%20b/bus", "/tmp/a b/bus"),
            ("unix:abstract=/tmp/x", nil),
        ] as [(String, String?)])
    func `the socket of an address is known where it is a file`(address: String, path: String?) {
        #expect(BusAddress.socket(in: address) == path)
    }

    @Test func `a bus that is not there is waited for without looking`() async throws {
        try await onLoop {
            let (bus, object) = (try await PrivateBus(), SampleObject())
            bus.end()
            try FileManager.default.removeItem(atPath: String(bus.address.dropFirst("unix:path=".count)))
            let reactor = CountedReactor(try await EventLoop.background())
            let session = SessionBus(reactor: reactor, log: .silent, address: bus.address, pace: quick)
            let connection = session.open(as: [SampleObject.name], showing: object, at: SampleObject.path)
            defer { connection.close() }

            #expect(connection.state == .noBus && reactor.alarms == 0)
            let next = try await bus.again()
            try await onLoopUntil { connection.state == .connected(as: SampleObject.name) }
            #expect(try await call(next, "org.example.Sample.Double", "int64:3").contains("int64 6"))
        }
    }

    @Test func `calls wait while the bus is asked whose program it is, as many as may`() {
        var callers = BusCallers<Int>()

        #expect(callers.take(0, from: ":1.1") == .ask)
        for number in 1..<64 { #expect(callers.take(number, from: ":1.1") == .wait) }
        #expect(callers.take(64, from: ":1.1") == .refuse)
        #expect(callers.take(0, from: ":1.2") == .ask)
        let learnt = callers.learn(7, of: ":1.1")
        #expect(learnt.calls == Array(0..<64) && learnt.caller == BusCaller(name: ":1.1", uid: 7))
        #expect(callers.take(1, from: ":1.1") == .go(BusCaller(name: ":1.1", uid: 7)))
        #expect(callers.learn(nil, of: ":1.2").calls == [0])
        #expect(callers.forget(":1.2") == nil && callers.forget(":1.1")?.uid == 7)
        for number in 0..<1_024 { _ = callers.take(0, from: ":2.\(number)") }
        #expect(callers.take(0, from: ":3.1") == .refuse)
    }
}
