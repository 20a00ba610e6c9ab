import BatonProtocol

/// The members of one object, read strictly: a missing member, a wrong type or a value out of range is a fault with its place. Unrequested
/// members are ignored, unless `refuseUnknown` is called.
package struct Fields {
    let object: JSONObject
    /// The JSON pointer of the object itself.
    let path: String

    init(_ object: JSONObject, path: String = "") {
        self.object = object
        self.path = path
    }

    func pointer(_ name: String) -> String { "\(path)/\(name)" }

    func fault(_ name: String, _ sentence: String) -> ProtocolFault {
        ProtocolFault(.badRequest, sentence, at: pointer(name))
    }

    func has(_ name: String) -> Bool { object[name] != nil }

    func missing(_ name: String) -> ProtocolFault {
        var fault = fault(name, "\(name) is missing.")
        fault.reason = Reason(.missing, ["name": .string(name)])
        return fault
    }

    /// Refuses the first member that is not known: a peer that sends it means more than is understood here. Only names are read, since each
    /// command is looked at in this way.
    func refuseUnknown(_ isKnown: (String) -> Bool) throws(ProtocolFault) {
        for index in object.members.indices where !isKnown(object.members[index].name) { throw unknown(object.members[index].name) }
    }

    private func unknown(_ name: String) -> ProtocolFault {
        let place = name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
        return ProtocolFault(
            .unsupported, "\(name) is not known here.", at: pointer(place), reason: Reason(.notKnown, ["name": .string(name)]))
    }

    /// `nil` if the member is absent; a fault if `reading` cannot read it.
    func read<Value>(
        _ name: String, as wanted: @autoclosure () -> String, reading: (JSON) -> Value?
    ) throws(ProtocolFault) -> Value? {
        guard let value = object[name] else { return nil }
        guard let read = reading(value) else { throw fault(name, "\(name) must be \(wanted()).") }
        return read
    }

    // MARK: optional members

    func int(_ name: String, in range: ClosedRange<Int>) throws(ProtocolFault) -> Int? {
        guard let value = object[name] else { return nil }
        guard let int = Self.int(value, in: range) else { throw outOfRange(name, range) }
        return int
    }

    private func outOfRange(_ name: String, _ range: ClosedRange<Int>) -> ProtocolFault {
        var fault = fault(name, "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound).")
        fault.reason = Reason(
            .outOfRange, ["name": .string(name), "min": .int(Int64(range.lowerBound)), "max": .int(Int64(range.upperBound))])
        return fault
    }

    /// `nil` also for an integer out of the range.
    func int(_ name: String, ifIn range: ClosedRange<Int>) throws(ProtocolFault) -> Int? {
        try int64(name).flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }

    static func int(_ value: JSON, in range: ClosedRange<Int>) -> Int? {
        value.int.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }

    /// Any integer that the codec accepts.
    func int64(_ name: String) throws(ProtocolFault) -> Int64? { try read(name, as: "an integer") { $0.int } }

    func double(_ name: String) throws(ProtocolFault) -> Double? {
        try read(name, as: "a number") { value in
            switch value {
            case .int(let value): Double(value)
            case .double(let value): value
            default: nil
            }
        }
    }

    func bool(_ name: String) throws(ProtocolFault) -> Bool? { try read(name, as: "true or false") { $0.bool } }

    /// `bytes` counts UTF-8.
    func string(_ name: String, bytes: ClosedRange<Int>) throws(ProtocolFault) -> String? {
        try string(name, of: "text of \(bytes.lowerBound) to \(bytes.upperBound) bytes") { bytes.contains($0.utf8.count) }
    }

    /// Text of a kind that the fault names.
    func string(_ name: String, of wanted: @autoclosure () -> String, where fits: (String) -> Bool) throws(ProtocolFault) -> String? {
        try read(name, as: wanted()) { value in value.string.flatMap { fits($0) ? $0 : nil } }
    }

    func token(_ name: String, length: ClosedRange<Int>) throws(ProtocolFault) -> String? {
        try string(name, of: "\(length.lowerBound) to \(length.upperBound) letters, digits, - or _") { Token.isToken($0, length: length) }
    }

    func choice<Choice: RawRepresentable & CaseIterable>(_ name: String) throws(ProtocolFault) -> Choice?
    where Choice.RawValue == String {
        try read(name, as: "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", ")) { value in
            value.string.flatMap(Choice.init(rawValue:))
        }
    }

    func fields(_ name: String) throws(ProtocolFault) -> Fields? {
        try read(name, as: "an object") { value in value.object.map { Fields($0, path: pointer(name)) } }
    }

    func list(_ name: String, count: ClosedRange<Int>) throws(ProtocolFault) -> [JSON]? {
        try read(name, as: "a list of \(count.lowerBound) to \(count.upperBound)") { value in
            value.array.flatMap { count.contains($0.count) ? $0 : nil }
        }
    }

    /// A list whose elements are all read by `reading`; the fault names the first invalid one.
    func list<Element>(
        _ name: String, count: ClosedRange<Int>, of wanted: String, _ reading: (JSON) -> Element?
    ) throws(ProtocolFault) -> [Element]? {
        guard let elements = try list(name, count: count) else { return nil }
        var result: [Element] = []
        result.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let value = reading(element) else { throw fault("\(name)/\(index)", "Each of \(name) must be \(wanted).") }
            result.append(value)
        }
        return result
    }

    // MARK: members that must be there

    func required<Value>(_ name: String, _ value: Value?) throws(ProtocolFault) -> Value {
        guard let value else { throw missing(name) }
        return value
    }
}
