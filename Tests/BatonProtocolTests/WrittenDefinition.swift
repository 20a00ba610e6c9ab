import BatonProtocol
import BatonWire
import Foundation
import Testing

/// What `Protocol/commands` says of one command.
struct WrittenDefinition {
    let `class`: String
    let role: String
    let keys: String
    let order: String
    let isOfPerson: Bool
    /// The parameters in the order in which they are read.
    let rows: [ParameterDescription]
    /// Parameters whose bound a hub's configuration may change, with the name of that limit.
    private(set) var limits: [String: String] = [:]
    let checks: [WrittenCheck]

    static var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }.sorted()
    }

    private static let folder = ExampleTests.folder.appending(path: "commands")

    init(_ name: String) throws {
        let file = Self.folder.appending(path: "\(name).json")
        let written = try Self.object(file)
        let shapes =
            try Self.object(ExampleTests.folder.appending(path: "schema/v1/common.json"))["$defs"] as? [String: [String: Any]] ?? [:]
        `class` = written["class"] as? String ?? ""
        role = written["role"] as? String ?? ""
        keys = written["keys"] as? String ?? "shared"
        order = written["order"] as? String ?? "rooms"
        isOfPerson = written["person"] as? Bool ?? (`class` != "Q")
        // Foundation's objects have no order.
        let ordered = try parse(String(contentsOf: file, encoding: .utf8))
        let members = ordered["parameters"]?.object?.members ?? []
        rows = try Self.rows(written, members, shapes)
        checks = (ordered["checks"]?.array ?? []).compactMap { WrittenCheck($0, of: ordered["parameters"] ?? .null) }
        for member in members { limits[member.name] = (member.value["limit"] ?? member.value["below"])?.string }
    }

    private static func object(_ file: URL) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    }

    private static func rows(
        _ written: [String: Any], _ members: [JSONObject.Member], _ shapes: [String: [String: Any]]
    ) throws -> [ParameterDescription] {
        let parameters = written["parameters"] as? [String: [String: Any]] ?? [:]
        let forms = written["forms"] as? [[String: Any]] ?? [written]
        let required = forms.map { Set($0["required"] as? [String] ?? []) }.reduce(Set(parameters.keys)) { $0.intersection($1) }
        // A shape of `common.json` says what the parameter does not.
        func resolved(_ shape: [String: Any]) -> (shape: [String: Any], shared: String?) {
            let shared = (shape["$ref"] as? String)?.split(separator: "/").last.map(String.init)
            return ((shared.flatMap { shapes[$0] } ?? [:]).merging(shape) { $1 }, shared)
        }
        return try members.map { member in
            var (shape, shared) = resolved(parameters[member.name] ?? [:])
            // How long a queue may be is the owner's setting, and `queue.get` leaves that bound open.
            if shape["limit"] as? String == "queueLength", shape["maximum"] == nil {
                shape["maximum"] = WireLimits.standard.queueLength
            }
            let form = ParameterDescription.Form(shape, shared, items: (shape["items"] as? [String: Any]).map(resolved))
            return ParameterDescription(
                name: member.name, form: try #require(form, "\(member.name) has a shape that the tests do not know."),
                isRequired: required.contains(member.name), usual: member.value["default"] ?? member.value["absent"])
        }
    }
}
