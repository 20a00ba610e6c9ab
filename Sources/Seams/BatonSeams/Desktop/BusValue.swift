/// A value of D-Bus with its type, as methods, properties and signals carry it. Only the types that our interfaces use.
package indirect enum BusValue: Equatable, Sendable {
    case boolean(Bool)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case double(Double)
    case text(String)
    /// An object path. It is checked when it is sent.
    case path(String)
    case variant(BusValue)
    /// A list with the type of its elements, which an empty list has too.
    case list(of: String, [BusValue])
    /// Named values of any type: `a{sv}`.
    case table([String: BusValue])
    case structure([BusValue])

    /// The type as D-Bus writes it, such as `a{sv}`.
    package var type: String {
        switch self {
        case .boolean: "b"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .double: "d"
        case .text: "s"
        case .path: "o"
        case .variant: "v"
        case .list(let element, _): "a" + element
        case .table: Self.tableType
        case .structure(let members): "(" + members.map(\.type).joined() + ")"
        }
    }

    /// The type of named values.
    package static let tableType = "a{sv}"

    /// A list of texts.
    package static func texts(_ texts: [String]) -> BusValue { .list(of: "s", texts.map { .text($0) }) }
    /// A list of object paths.
    package static func paths(_ paths: [String]) -> BusValue { .list(of: "o", paths.map { .path($0) }) }

    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var path: String? { if case .path(let path) = self { path } else { nil } }
    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    package var int64: Int64? { if case .int64(let value) = self { value } else { nil } }
    package var uint32: UInt32? { if case .uint32(let value) = self { value } else { nil } }
    package var double: Double? { if case .double(let value) = self { value } else { nil } }
    package var list: [BusValue]? { if case .list(_, let values) = self { values } else { nil } }
    /// The value inside of a variant.
    package var content: BusValue? { if case .variant(let value) = self { value } else { nil } }
}
