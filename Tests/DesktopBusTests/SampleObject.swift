import BatonCore
import BatonSeams
import EventLoop

/// An object that notes what it is asked, for the tests of this folder.
@Loop
final class SampleObject: BusObject {
    static let name = "org.example.Sample"
    static let path = "/org/example/Sample"

    let interfaces = [
        BusInterface(
            "org.example.Sample",
            methods: [
                .init("Double", takes: [.init("number", "x")], gives: [.init("double", "x")]),
                .init("Echo", takes: [.init("uris", "as"), .init("after", "o"), .init("now", "b")], gives: [.init("found", "aa{sv}")]),
                .init("Later"), .init("Refuse"), .init("Bad", gives: [.init("path", "o")]),
            ],
            properties: [
                .init("Level", "d", isWritable: true), .init("Name", "s", announcement: .constant),
                .init("Facts", "a{sv}", announcement: .name), .init("Pair", "(oss)"), .init("Absent", "s"),
            ],
            signals: [.init("Jumped", carries: [.init("to", "x")])])
    ]
    var level = 0.5
    var calls: [BusCall] = []
    var gone: [BusCaller] = []
    var states: [BusState] = []
    var later: (@Loop (Result<[BusValue], BusFault>) -> Void)?

    func value(of property: String, in interface: String) -> BusValue? {
        switch property {
        case "Level": .double(level)
        case "Name": .text("Küche")
        case "Facts": .table(["length": .int64(7), "artists": .texts(["a", "b"]), "none": .texts([])])
        case "Pair": .structure([.path("/a"), .text("b"), .text("")])
        default: nil
        }
    }

    func set(
        _ property: String, in interface: String, to value: BusValue, from caller: BusCaller, answer: @escaping @Loop (BusFault?) -> Void
    ) {
        level = value.double ?? -1
        calls.append(BusCall("Set", of: interface, [value], from: caller))
        answer(level < 0 ? .invalidArguments("Not below 0.") : nil)
    }

    func take(_ call: BusCall, answer: @escaping @Loop (Result<[BusValue], BusFault>) -> Void) {
        calls.append(call)
        switch call.method {
        case "Double": answer(.success([.int64((call.arguments[0].int64 ?? 0) * 2)]))
        case "Echo": answer(.success([.list(of: "a{sv}", [.table(["path": call.arguments[1]]), .table([:])])]))
        case "Later": later = answer
        case "Bad": answer(.success([.path("no path")]))
        default: answer(.failure(.notSupported("Never.")))
        }
    }

    func left(_ caller: BusCaller) { gone.append(caller) }
    func connectionChanged(to state: BusState) { states.append(state) }
}

/// The loop, which counts the alarms that were set.
@Loop
final class CountedReactor: Reactor {
    private let loop: EventLoop
    private(set) var alarms = 0

    init(_ loop: EventLoop) { self.loop = loop }

    var nowUs: Microseconds { loop.nowUs }

    func watch(_ descriptor: Int32, for interest: Readiness, _ action: @escaping @Loop (Readiness) -> Void) -> any Watch {
        loop.watch(descriptor, for: interest, action)
    }

    func after(_ delay: Duration, _ action: @escaping @Loop () -> Void) -> any Alarm {
        alarms += 1
        return loop.after(delay, action)
    }
}
