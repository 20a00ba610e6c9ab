/// Calls of programs: names, types and access are checked here by the declared interfaces, before the object is asked.
import BatonSeams
import CSystemd

extension BusSession {
    func take(_ call: BusMessage) {
        guard let object else { return }
        guard call.path == path else { return takeBeside(call) }
        switch call.interface {
        case StandardInterfaces.introspectable.name where call.member == "Introspect":
            guard call.signature.isEmpty else { return refuse(call, Self.wrongTypes("")) }
            answer(call, [.text(Introspection.text(of: object.interfaces))])
        case StandardInterfaces.properties.name: takeProperty(call, of: object)
        case StandardInterfaces.introspectable.name: refuse(call, .unknownMethod(call.member))
        case let name?:
            guard let interface = object.interfaces.first(where: { $0.name == name }) else { return refuse(call, .unknownInterface(name)) }
            guard let method = interface.methods.first(where: { $0.name == call.member }) else {
                return refuse(call, .unknownMethod(call.member))
            }
            takeMethod(call, method)
        case nil:
            // A call that leaves the interface out means any that has the method.
            guard let method = object.interfaces.lazy.flatMap(\.methods).first(where: { $0.name == call.member }) else {
                return refuse(call, .unknownMethod(call.member))
            }
            takeMethod(call, method)
        }
    }

    /// A path above the object leads to it; others are unknown.
    private func takeBeside(_ call: BusMessage) {
        let above = call.path == "/" ? "/" : call.path + "/"
        guard call.interface == StandardInterfaces.introspectable.name, call.member == "Introspect", path.hasPrefix(above) else {
            return refuse(call, .unknownObject(call.path))
        }
        let child = path.dropFirst(above.utf8.count).prefix { $0 != "/" }
        answer(call, [.text(Introspection.text(leadingTo: String(child)))])
    }

    private func takeMethod(_ call: BusMessage, _ method: BusInterface.Method) {
        let types = method.takes.map(\.type).joined()
        guard call.signature == types else { return refuse(call, Self.wrongTypes(types)) }
        withCaller(of: call)
    }

    private func takeProperty(_ call: BusMessage, of object: any BusObject) {
        guard let method = StandardInterfaces.properties.methods.first(where: { $0.name == call.member }) else {
            return refuse(call, .unknownMethod(call.member))
        }
        let types = method.takes.map(\.type).joined()
        guard call.signature == types else { return refuse(call, Self.wrongTypes(types)) }
        // Its value may have any type, and is read once it is known who sets it.
        if call.member == "Set" { return withCaller(of: call) }
        let names = call.arguments()?.compactMap(\.text) ?? []
        guard let name = names.first else { return refuse(call, Self.wrongTypes(types)) }
        guard let interface = object.interfaces.first(where: { $0.name == name }) else { return refuse(call, .unknownInterface(name)) }
        if call.member == "GetAll" {
            let values = interface.properties.compactMap { property in
                object.value(of: property.name, in: name).map { (property.name, $0) }
            }
            return answer(call, [.table(Dictionary(uniqueKeysWithValues: values))])
        }
        guard let value = object.value(of: names[1], in: name) else { return refuse(call, .unknownProperty(names[1])) }
        answer(call, [.variant(value)])
    }

    // MARK: Callers

    /// Goes on once the user of the calling program is known.
    private func withCaller(of call: BusMessage) {
        let name = call.sender
        switch callers.take(call, from: name) {
        case .go(let caller): carryOut(call, from: caller)
        case .wait: break
        case .refuse: refuse(call, .limitsExceeded("Too many calls wait for an answer."))
        case .ask:
            tell("AddMatch", [.text(Self.leaving(name))])
            ask("GetConnectionUnixUser", with: [.text(name)]) { [weak self] answer in
                guard let self else { return }
                let uid = answer.kind == .answer ? answer.arguments()?.first?.uint32 : nil
                let (caller, calls) = callers.learn(uid, of: name)
                if caller == nil { tell("RemoveMatch", [.text(Self.leaving(name))]) }
                for call in calls {
                    if let caller {
                        carryOut(call, from: caller)
                    } else {
                        refuse(call, .accessDenied("The bus does not say whose program this is."))
                    }
                }
            }
        }
    }

    /// The rule by which the bus tells that a program leaves.
    private static func leaving(_ name: String) -> String {
        "type='signal',sender='\(daemon)',interface='\(daemon)',member='NameOwnerChanged',arg0='\(name)'"
    }

    func heard(_ signal: BusMessage) {
        guard signal.sender == Self.daemon, signal.member == "NameOwnerChanged", let arguments = signal.arguments(), arguments.count == 3,
            let name = arguments[0].text, arguments[2].text == ""
        else { return }
        tell("RemoveMatch", [.text(Self.leaving(name))])
        forget(name)
    }

    func forget(_ name: String) {
        if let caller = callers.forget(name) { object?.left(caller) }
    }

    private func carryOut(_ call: BusMessage, from caller: BusCaller) {
        guard let object else { return }
        guard let arguments = call.arguments() else {
            return refuse(call, .invalidArguments("The arguments have types that are not used."))
        }
        let life = life
        if call.interface == StandardInterfaces.properties.name { return set(arguments, call, of: object, from: caller) }
        guard let (interface, method) = declared(call, of: object) else { return refuse(call, .unknownMethod(call.member)) }
        object.take(BusCall(method.name, of: interface.name, arguments, from: caller)) { [weak self] result in
            guard let self, life == self.life else { return }
            switch result {
            case .success(let values): answer(call, values)
            case .failure(let fault): refuse(call, fault)
            }
        }
    }

    private func declared(_ call: BusMessage, of object: any BusObject) -> (BusInterface, BusInterface.Method)? {
        for interface in object.interfaces where call.interface ?? interface.name == interface.name {
            if let method = interface.methods.first(where: { $0.name == call.member }) { return (interface, method) }
        }
        return nil
    }

    private func set(_ arguments: [BusValue], _ call: BusMessage, of object: any BusObject, from caller: BusCaller) {
        guard arguments.count == 3, let name = arguments[0].text, let member = arguments[1].text, let value = arguments[2].content else {
            return refuse(call, Self.wrongTypes("ssv"))
        }
        guard let interface = object.interfaces.first(where: { $0.name == name }) else { return refuse(call, .unknownInterface(name)) }
        guard let property = interface.properties.first(where: { $0.name == member }) else {
            return refuse(call, .unknownProperty(member))
        }
        guard property.isWritable else { return refuse(call, .readOnly(member)) }
        guard value.type == property.type else { return refuse(call, Self.wrongTypes(property.type)) }
        let life = life
        object.set(member, in: name, to: value, from: caller) { [weak self] fault in
            guard let self, life == self.life else { return }
            if let fault { refuse(call, fault) } else { answer(call, []) }
        }
    }

    // MARK: Answers

    private static func wrongTypes(_ types: String) -> BusFault {
        .invalidArguments(types.isEmpty ? "This takes no arguments." : "This takes arguments of the types \(types).")
    }

    private func answer(_ call: BusMessage, _ values: [BusValue]) {
        guard call.wantsAnswer else { return }
        var made: OpaquePointer?
        guard unsafe baton_sd_bus_message_new_method_return(call.raw, &made) >= 0, let raw = unsafe made else { return }
        let message = unsafe BusMessage(owning: raw)
        guard values.allSatisfy(message.append) else { return refuse(call, .failed("The answer cannot be sent on a bus.")) }
        write(message)
    }

    private func refuse(_ call: BusMessage, _ fault: BusFault) {
        guard call.wantsAnswer else { return }
        unsafe fault.name.withCString { name in
            unsafe fault.sentence.withCString { sentence in
                var error = unsafe sd_bus_error(name: name, message: sentence, _need_free: 0)
                var made: OpaquePointer?
                guard unsafe baton_sd_bus_message_new_method_error(call.raw, &made, &error) >= 0, let raw = unsafe made else { return }
                write(unsafe BusMessage(owning: raw))
            }
        }
    }
}
