import BatonCore
import BatonSeams
import CSystemd
import Glibc

/// A connection of its own to the session bus, which connects again after any failure.
///
/// sd-bus runs on the loop thread, and only calls of it are made that never wait: messages are queued, and the descriptor's watch and an
/// alarm say when to go on. It calls back inside of `sd_bus_process` alone, where a callback only puts the message into the inbox. So
/// anything may be done while a message is handled, the end of the connection included. Answers of the bus are found by the numbers of our
/// messages, because sd-bus keeps its own callbacks beyond the life of their owner.
@safe @Loop
final class BusSession: BusConnection {
    private(set) var state = BusState.connecting {
        didSet { if state != oldValue { object?.connectionChanged(to: state) } }
    }
    /// Weak, because the object owns its connection.
    private(set) weak var object: (any BusObject)?
    let path: String
    private let names: [String]
    private let address: String?
    private let reactor: any Reactor
    private let log: Log
    private let pace: BusPace

    private var bus: OpaquePointer?
    /// The number of the connection, so that an answer to a call of an earlier one is dropped.
    private(set) var life = 0
    private var watch: (any Watch)?
    private var interest: Readiness = []
    private var timeout: (any Alarm)?
    private var again: (any Alarm)?
    private var retry: (any Alarm)?
    private var deadline: (any Alarm)?
    private var arrival: SocketArrival?
    private var failures = 0
    private var isLogged = false

    /// True once the bus has greeted back and is asked for a name.
    private var hasClaimed = false
    private var inbox: [BusMessage] = []
    private var answers: [UInt64: @Loop (BusMessage) -> Void] = [:]
    var callers = BusCallers<BusMessage>()

    /// The bus itself, as a program on it.
    static let daemon = "org.freedesktop.DBus"
    /// Messages that may wait for a bus that does not read.
    private static let mostQueued = 4_096
    private static let messagesPerTurn = 64
    private static let timeToGreet = Duration.seconds(20)
    /// Attempts after a failure. From then on only a socket that is made anew begins others, where that can be seen.
    private static let mostAttempts = 6

    init(
        _ names: [String], _ object: any BusObject, at path: String, address: String?, reactor: any Reactor, log: Log, pace: BusPace
    ) {
        self.names = names
        self.object = object
        self.path = path
        self.address = address
        self.reactor = reactor
        self.log = log
        self.pace = pace
    }

    isolated deinit { drop() }

    // MARK: Life

    func connect() {
        retry?.cancel()
        retry = nil
        // Without an address in the environment none can come, so there is nothing to wait for.
        guard let address else { return state = .noBus }
        life += 1
        hasClaimed = false
        let status = start(address)
        guard status >= 0 else {
            drop()
            if status == -ENOENT, waitsForSocket { return state = .noBus }
            let isAbsent = [ENOENT, ECONNREFUSED, ENOSYS].contains(-status)
            return tryLater(isAbsent ? .noBus : .failed("The session bus cannot be reached: \(Self.text(of: status))."))
        }
        state = .connecting
        deadline = reactor.after(Self.timeToGreet) { [weak self] in self?.fail("The session bus does not answer.") }
        turn()
    }

    private func start(_ address: String) -> Int32 {
        // libsystemd is not even opened for a bus that is not there.
        if let path = BusAddress.socket(in: address), unsafe access(path, F_OK) != 0 { return -ENOENT }
        var made: OpaquePointer?
        var status = unsafe baton_sd_bus_new(&made)
        guard status >= 0, let bus = unsafe made else { return status }
        unsafe self.bus = bus
        status = unsafe baton_sd_bus_set_address(bus, address)
        if status >= 0 { status = unsafe baton_sd_bus_set_bus_client(bus, 1) }
        // No message of ours carries a descriptor, so none is accepted.
        if status >= 0 { status = unsafe baton_sd_bus_negotiate_fds(bus, 0) }
        if status >= 0 {
            let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
            status = unsafe baton_sd_bus_add_filter(
                bus, nil,
                { message, owner, _ in
                    nonisolated(unsafe) let (message, owner) = unsafe (given(message), given(owner))
                    return Loop.assumeIsolated {
                        unsafe Unmanaged<BusSession>.fromOpaque(owner).takeUnretainedValue().received(message)
                    }
                }, owner)
        }
        if status >= 0 { status = unsafe baton_sd_bus_start(bus) }
        return status
    }

    func close() {
        drop()
        retry?.cancel()
        arrival?.cancel()
        state = .closed
        object = nil
    }

    /// Ends the connection. Nothing of it is waited for.
    private func drop() {
        for alarm in [timeout, again, deadline] { alarm?.cancel() }
        (timeout, again, deadline) = (nil, nil, nil)
        // Its descriptor is closed with the bus.
        watch?.cancel()
        watch = nil
        interest = []
        inbox = []
        answers = [:]
        if let bus = unsafe bus { _ = unsafe baton_sd_bus_close_unref(bus) }
        unsafe bus = nil
        for name in callers.names { forget(name) }
    }

    private func fail(_ sentence: String) {
        drop()
        tryLater(.failed(sentence))
    }

    private func lost() {
        let wasConnected = if case .connected = state { true } else { false }
        drop()
        if wasConnected { log(.debug, "The session bus has ended.") }
        tryLater(.noBus)
    }

    private func tryLater(_ now: BusState) {
        if case .failed(let sentence) = now, !isLogged {
            log(.warning, sentence)
            isLogged = true
        }
        state = now
        // The owner may have closed it when it heard that.
        guard state != .closed else { return }
        failures += 1
        if state == .noBus, failures > Self.mostAttempts, waitsForSocket { return }
        retry = reactor.after(pace.delay(after: failures - 1)) { [weak self] in self?.connect() }
    }

    /// True when the socket of a new bus will be noticed.
    private var waitsForSocket: Bool {
        if arrival == nil, let path = address.flatMap(BusAddress.socket) {
            arrival = SocketArrival(of: path, on: reactor) { [weak self] in self?.socketCame() }
        }
        return arrival != nil
    }

    private func socketCame() {
        guard state == .noBus else { return }
        failures = 0
        // The bus listens a moment after it has made its socket.
        retry?.cancel()
        retry = reactor.after(.milliseconds(20)) { [weak self] in self?.connect() }
    }

    private static func text(of status: Int32) -> String { unsafe String(cString: strerror(-status)) }

    // MARK: Turns

    /// Lets sd-bus read and write as far as nothing waits, and handles what came.
    private func turn() {
        again = nil
        for _ in 0..<Self.messagesPerTurn {
            guard let bus = unsafe bus else { return }
            let life = life
            let status = unsafe baton_sd_bus_process(bus, nil)
            guard status >= 0, unsafe baton_sd_bus_is_open(bus) > 0 else { return lost() }
            let messages = inbox
            inbox = []
            for message in messages where life == self.life { handle(message) }
            guard life == self.life, unsafe self.bus != nil else { return }
            if status == 0 { return look() }
        }
        // Others have their turn first.
        goOn()
    }

    private func goOn() {
        if again == nil { again = reactor.after(.zero) { [weak self] in self?.turn() } }
    }

    /// Watches for what sd-bus waits for now.
    private func look() {
        guard let bus = unsafe bus else { return }
        if !hasClaimed, unsafe baton_sd_bus_is_ready(bus) > 0 {
            hasClaimed = true
            return claim(names[...])
        }
        let events = unsafe baton_sd_bus_get_events(bus)
        let descriptor = unsafe baton_sd_bus_get_fd(bus)
        guard events >= 0, descriptor >= 0 else { return goOn() }
        var wanted: Readiness = []
        if events & Int32(POLLIN) != 0 { wanted.insert(.readable) }
        if events & Int32(POLLOUT) != 0 { wanted.insert(.writable) }
        if let watch {
            if wanted != interest { watch.change(to: wanted) }
        } else {
            watch = reactor.watch(descriptor, for: wanted) { [weak self] _ in self?.turn() }
        }
        interest = wanted
        unsafe setTimeout(of: bus)
    }

    private func setTimeout(of bus: OpaquePointer) {
        timeout?.cancel()
        timeout = nil
        var dueUs: UInt64 = 0
        guard unsafe baton_sd_bus_get_timeout(bus, &dueUs) >= 0, dueUs < UInt64(Int64.max) else { return }
        let leftUs = max(0, Microseconds(Int64(dueUs)) - Clock.monotonicUs())
        timeout = reactor.after(.microseconds(leftUs)) { [weak self] in self?.turn() }
    }

    /// Called by sd-bus. One: the message is taken. Zero: sd-bus goes on with it.
    private func received(_ raw: OpaquePointer) -> Int32 {
        let message = unsafe BusMessage(sharing: raw)
        // sd-bus answers these itself.
        if message.kind == .call, message.interface == StandardInterfaces.peer.name { return 0 }
        inbox.append(message)
        return message.kind == .call ? 1 : 0
    }

    private func handle(_ message: BusMessage) {
        switch message.kind {
        case .call: take(message)
        case .answer, .error: message.answered.flatMap { answers.removeValue(forKey: $0) }?(message)
        case .signal: heard(message)
        case nil: break
        }
    }

    // MARK: Names

    /// Claims the first of these names that is free.
    private func claim(_ names: ArraySlice<String>) {
        guard let name = names.first else { return fail("The names of this player on the session bus are taken by other programs.") }
        let doNotQueue: UInt32 = 4
        ask("RequestName", with: [.text(name), .uint32(doNotQueue)]) { [weak self] answer in
            guard let self else { return }
            guard answer.kind == .answer, let result = answer.arguments()?.first?.uint32 else {
                return fail("The session bus refuses the name \(name).")
            }
            // The owner, or already the owner.
            if result == 1 || result == 4 { connected(as: name) } else { claim(names.dropFirst()) }
        }
    }

    private func connected(as name: String) {
        deadline?.cancel()
        deadline = nil
        failures = 0
        isLogged = false
        state = .connected(as: name)
    }

    // MARK: Sending

    /// Calls a method of the bus itself.
    func ask(_ method: String, with arguments: [BusValue], _ answer: @escaping @Loop (BusMessage) -> Void) {
        guard let message = call(method, arguments) else { return }
        if let number = write(message) { answers[number] = answer }
    }

    /// The same without an answer.
    func tell(_ method: String, _ arguments: [BusValue]) {
        guard let message = call(method, arguments) else { return }
        _ = unsafe baton_sd_bus_message_set_expect_reply(message.raw, 0)
        write(message)
    }

    private func call(_ method: String, _ arguments: [BusValue]) -> BusMessage? {
        guard let bus = unsafe bus else { return nil }
        var made: OpaquePointer?
        let status = unsafe baton_sd_bus_message_new_method_call(
            bus, &made, Self.daemon, "/org/freedesktop/DBus", Self.daemon, method)
        guard status >= 0, let raw = unsafe made else { return nil }
        let message = unsafe BusMessage(owning: raw)
        return arguments.allSatisfy(message.append) ? message : nil
    }

    /// Queues a message; returns its number.
    @discardableResult
    func write(_ message: BusMessage) -> UInt64? {
        guard let bus = unsafe bus else { return nil }
        var number: UInt64 = 0
        guard unsafe baton_sd_bus_send(bus, message.raw, &number) >= 0 else {
            // The next turn finds out why.
            goOn()
            return nil
        }
        var queued: UInt64 = 0
        if unsafe baton_sd_bus_get_n_queued_write(bus, &queued) >= 0, queued > Self.mostQueued {
            fail("The session bus does not read what it is sent.")
            return nil
        }
        look()
        return number
    }

    func announce(_ changed: [String: BusValue], outdated: [String], of interface: String) {
        if changed.isEmpty, outdated.isEmpty { return }
        send(
            StandardInterfaces.properties.signals[0].name, of: StandardInterfaces.properties.name,
            [.text(interface), .table(changed), .texts(outdated)])
    }

    func send(_ signal: String, of interface: String, _ arguments: [BusValue]) {
        guard case .connected = state, let bus = unsafe bus else { return }
        var made: OpaquePointer?
        guard unsafe baton_sd_bus_message_new_signal(bus, &made, path, interface, signal) >= 0, let raw = unsafe made else { return }
        let message = unsafe BusMessage(owning: raw)
        if arguments.allSatisfy(message.append) { write(message) }
    }
}
