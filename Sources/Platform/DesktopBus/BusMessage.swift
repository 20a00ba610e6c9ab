import BatonSeams
import CSystemd

/// One message of the bus, received or to be sent. It owns a reference; what it reads is copied out at once.
@safe @Loop
final class BusMessage {
    let raw: OpaquePointer

    /// Takes over a reference that the caller owns.
    init(owning raw: OpaquePointer) { unsafe self.raw = raw }

    /// Shares a message that a callback was given.
    convenience init(sharing raw: OpaquePointer) { unsafe self.init(owning: given(baton_sd_bus_message_ref(raw))) }

    isolated deinit { _ = unsafe baton_sd_bus_message_unref(raw) }

    // MARK: Facts

    enum Kind: UInt8 {
        case call = 1
        case answer, error, signal
    }

    var kind: Kind? {
        var type: UInt8 = 0
        return unsafe baton_sd_bus_message_get_type(raw, &type) >= 0 ? Kind(rawValue: type) : nil
    }

    var path: String { unsafe Self.copied(baton_sd_bus_message_get_path(raw)) ?? "" }
    /// The interface; `nil` in a call that leaves it out, which D-Bus permits.
    var interface: String? { unsafe Self.copied(baton_sd_bus_message_get_interface(raw)) }
    var member: String { unsafe Self.copied(baton_sd_bus_message_get_member(raw)) ?? "" }
    var sender: String { unsafe Self.copied(baton_sd_bus_message_get_sender(raw)) ?? "" }
    /// The types of all arguments.
    var signature: String { unsafe Self.copied(baton_sd_bus_message_get_signature(raw, 1)) ?? "" }
    var wantsAnswer: Bool { unsafe baton_sd_bus_message_get_expect_reply(raw) > 0 }

    /// The number of the call that this answers.
    var answered: UInt64? {
        var cookie: UInt64 = 0
        return unsafe baton_sd_bus_message_get_reply_cookie(raw, &cookie) >= 0 ? cookie : nil
    }

    private static func copied(_ text: UnsafePointer<CChar>?) -> String? { unsafe text.map { unsafe String(cString: $0) } }

    // MARK: Reading

    /// The arguments; `nil` if one has a type that no interface of ours uses.
    func arguments() -> [BusValue]? {
        var values: [BusValue] = []
        while unsafe baton_sd_bus_message_at_end(raw, 1) == 0 {
            guard let value = next() else { return nil }
            values.append(value)
        }
        return values
    }

    /// The next value. D-Bus bounds how deep values are nested, so this recursion is bounded too.
    private func next() -> BusValue? {
        var (type, contents): (CChar, UnsafePointer<CChar>?) = (0, nil)
        guard unsafe baton_sd_bus_message_peek_type(raw, &type, &contents) > 0 else { return nil }
        let inner = unsafe Self.copied(contents) ?? ""
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "b"): return number(type, Int32.self).map { .boolean($0 != 0) }
        case UInt8(ascii: "i"): return number(type, Int32.self).map { .int32($0) }
        case UInt8(ascii: "u"): return number(type, UInt32.self).map { .uint32($0) }
        case UInt8(ascii: "x"): return number(type, Int64.self).map { .int64($0) }
        case UInt8(ascii: "d"): return number(type, Double.self).map { .double($0) }
        case UInt8(ascii: "s"): return characters(type).map { .text($0) }
        case UInt8(ascii: "o"): return characters(type).map { .path($0) }
        case UInt8(ascii: "v"): return members(of: type, inner)?.first.map { .variant($0) }
        case UInt8(ascii: "r"): return members(of: type, inner).map { .structure($0) }
        case UInt8(ascii: "a") where inner == "{sv}": return table(inner)
        // A dictionary of another type has no value here.
        case UInt8(ascii: "a") where !inner.hasPrefix("{"): return members(of: type, inner).map { .list(of: inner, $0) }
        default: return nil
        }
    }

    private func number<Number: BitwiseCopyable & ExpressibleByIntegerLiteral>(_ type: CChar, _: Number.Type) -> Number? {
        var value: Number = 0
        return unsafe baton_sd_bus_message_read_basic(raw, type, &value) > 0 ? value : nil
    }

    private func characters(_ type: CChar) -> String? {
        var text: UnsafePointer<CChar>?
        guard unsafe baton_sd_bus_message_read_basic(raw, type, &text) > 0 else { return nil }
        return unsafe Self.copied(text)
    }

    private func members(of type: CChar, _ contents: String) -> [BusValue]? {
        guard unsafe baton_sd_bus_message_enter_container(raw, type, contents) > 0 else { return nil }
        var values: [BusValue] = []
        while unsafe baton_sd_bus_message_at_end(raw, 0) == 0 {
            guard values.count < Self.mostElements, let value = next() else { return nil }
            values.append(value)
        }
        return unsafe baton_sd_bus_message_exit_container(raw) >= 0 ? values : nil
    }

    private func table(_ contents: String) -> BusValue? {
        guard unsafe baton_sd_bus_message_enter_container(raw, Self.array, contents) > 0 else { return nil }
        var table: [String: BusValue] = [:]
        while unsafe baton_sd_bus_message_at_end(raw, 0) == 0 {
            guard let pair = members(of: Self.pair, "sv"), let name = pair[0].text, let value = pair[1].content else { return nil }
            table[name] = value
        }
        return unsafe baton_sd_bus_message_exit_container(raw) >= 0 ? .table(table) : nil
    }

    // MARK: Writing

    /// Appends a value; false if D-Bus cannot carry it, such as a path with other characters.
    func append(_ value: BusValue) -> Bool {
        switch value {
        case .boolean(let isTrue): append(Int32(isTrue ? 1 : 0), "b")
        case .int32(let number): append(number, "i")
        case .uint32(let number): append(number, "u")
        case .int64(let number): append(number, "x")
        case .double(let number): append(number, "d")
        // A text with a zero byte ends there, because D-Bus has none.
        case .text(let text): unsafe text.withCString { unsafe baton_sd_bus_message_append_basic(raw, Self.letter("s"), $0) >= 0 }
        case .path(let path): unsafe path.withCString { unsafe baton_sd_bus_message_append_basic(raw, Self.letter("o"), $0) >= 0 }
        case .variant(let content): append(Self.letter("v"), of: content.type) { append(content) }
        case .structure(let members):
            append(Self.letter("r"), of: members.map(\.type).joined()) { members.allSatisfy(append) }
        case .list(let type, let values): append(Self.array, of: type) { values.allSatisfy { $0.type == type && append($0) } }
        case .table(let table):
            append(Self.array, of: "{sv}") {
                // In one order, so that equal tables are equal messages.
                table.sorted { $0.key < $1.key }.allSatisfy { name, value in
                    append(Self.pair, of: "sv") { append(.text(name)) && append(.variant(value)) }
                }
            }
        }
    }

    private func append<Number: BitwiseCopyable>(_ number: Number, _ type: Unicode.Scalar) -> Bool {
        unsafe withUnsafePointer(to: number) { unsafe baton_sd_bus_message_append_basic(raw, Self.letter(type), $0) >= 0 }
    }

    private func append(_ type: CChar, of contents: String, _ body: () -> Bool) -> Bool {
        guard unsafe baton_sd_bus_message_open_container(raw, type, contents) >= 0, body() else { return false }
        return unsafe baton_sd_bus_message_close_container(raw) >= 0
    }

    /// No call of ours names as many things.
    private static let mostElements = 10_000
    private static let array = letter("a")
    private static let pair = letter("e")

    private static func letter(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }
}

/// A pointer that sd-bus passes back or returns. It is never nil: it is the one that we passed, or a message that exists.
func given<Pointer>(_ pointer: Pointer?) -> Pointer {
    guard let pointer else { preconditionFailure("sd-bus called back without the pointer that it was given.") }
    return pointer
}
