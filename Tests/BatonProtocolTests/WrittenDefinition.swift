import BatonProtocol
import BatonWire
import Foundation

/// What `Protocol/commands` says of one command.
struct WrittenDefinition {
    let `class`: String
    let role: String
    let keys: String
    let order: String
    let isOfPerson: Bool
    let isReserved: Bool
    let parameters: [String: Parameter]
    /// The parameters in the order of the file, in which they are read.
    let parameterNames: [String]
    /// Parameters whose bound a hub's configuration may change, with the name of that limit.
    private(set) var limits: [String: String] = [:]
    /// Values of parameters that stand for a missing one.
    private(set) var absent: [String: JSON] = [:]
    let checks: [WrittenCheck]
    /// Where there are several forms, only what each of them requires.
    let required: Set<String>
    let reservedParameters: Set<String>

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
        isReserved = written["reserved"] as? Bool ?? false
        parameters = (written["parameters"] as? [String: [String: Any]] ?? [:]).mapValues { Parameter($0, shapes) }
        // Foundation's objects have no order.
        let ordered = try parse(String(contentsOf: file, encoding: .utf8))
        let members = ordered["parameters"]?.object?.members ?? []
        parameterNames = members.map(\.name)
        checks = (ordered["checks"]?.array ?? []).compactMap { WrittenCheck($0, of: ordered["parameters"] ?? .null) }
        for member in members {
            limits[member.name] = (member.value["limit"] ?? member.value["below"])?.string
            absent[member.name] = member.value["absent"]
        }
        let forms = written["forms"] as? [[String: Any]] ?? [written]
        required = forms.map { Set($0["required"] as? [String] ?? []) }.reduce(Set(parameters.keys)) { $0.intersection($1) }
        reservedParameters = Set(written["reservedParameters"] as? [String] ?? [])
    }

    private static func object(_ file: URL) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    }

    /// One parameter's shape, with the shared one that it refers to.
    struct Parameter {
        private let shape: [String: Any]
        private let shared: String?
        /// The value that its absence means, as text.
        let usual: String?

        init(_ written: [String: Any], _ shapes: [String: [String: Any]]) {
            shared = (written["$ref"] as? String)?.split(separator: "/").last.map(String.init)
            shape = shared.flatMap { shapes[$0] } ?? written
            // Foundation reads true and false as numbers, so the type decides.
            let isBool = shape["type"] as? String == "boolean"
            let value = written["default"]
            usual = value as? String ?? (isBool ? (value as? Bool).map { "\($0)" } : (value as? Int).map { "\($0)" })
        }

        /// Whether the definition allows just what this form allows.
        func holds(_ form: ParameterDescription.Form, isOpen: Bool) -> Bool {
            switch form {
            case .int(let range): self["minimum"] == range.lowerBound && (isOpen || self["maximum"] == range.upperBound)
            case .bool: shape["type"] as? String == "boolean"
            case .text(let bytes): self["minLength"] == bytes.lowerBound && self["x-maxBytes"] == bytes.upperBound
            case .token(let length): pattern == "^[A-Za-z0-9_-]{\(length.lowerBound),\(length.upperBound)}$"
            case .choice(let words): Set(shape["enum"] as? [String] ?? []) == Set(words)
            case .choices(let words): isList(1...words.count)
            case .entries(let count), .uris(let count), .edits(let count), .stations(let count): isList(count)
            case .entry: shared == "entry"
            case .uri: shared == "uri"
            case .rule: shared == "rule"
            case .anchor: shared == "entryOrNull"
            case .personalName: shared == "personalName"
            case .output: shared == "output" || shared == "outputOrNull"
            case .folder: shared == "folder"
            case .span: shared == "span"
            case .sourceName: shared == "sourceName"
            case .serverURL: shared == "serverURL"
            case .options: shared == "options"
            case .place: shared == "place"
            case .word: shape["const"] as? String == "end"
            }
        }

        private subscript(name: String) -> Int? { shape[name] as? Int }

        private var pattern: String? { shape["pattern"] as? String }

        private func isList(_ count: ClosedRange<Int>) -> Bool {
            self["minItems"] == count.lowerBound && self["maxItems"] == count.upperBound
        }
    }
}
