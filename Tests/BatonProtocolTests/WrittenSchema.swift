import BatonJSON
import BatonWire
import Foundation
import Testing

/// A schema of `Protocol/schema/v1` as its file spells it, with its members in their order.
struct WrittenSchema {
    /// The shapes stand in the place of the references to them.
    let content: JSON

    init(_ file: String) throws { content = try Self.resolved(try #require(Self.all[file]), in: file) }

    /// Schemas of answers and sections, by their paths below `schema/v1` and without `.json`.
    static func files() -> [String] { all.keys.filter { $0 != "common" }.sorted() }

    private static let all: [String: JSON] = {
        let folder = ExampleTests.folder.appending(path: "schema/v1")
        var limits = JSONLimits()
        (limits.depth, limits.members) = (64, 200)
        var all: [String: JSON] = [:]
        for part in ["", "section/", "hub/data/"] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: part).path)) ?? []
            for name in names where name.hasSuffix(".json") && (!part.isEmpty || name == "common.json") {
                guard let text = try? String(contentsOf: folder.appending(path: part + name), encoding: .utf8) else { continue }
                all["\(part)\(name.dropLast(".json".count))"] = try? parse(text, limits: limits)
            }
        }
        return all
    }()

    private static func resolved(_ content: JSON, in file: String) throws -> JSON {
        switch content {
        case .array(let elements): return .array(try elements.map { element in try resolved(element, in: file) })
        case .object(let object):
            var shape = JSONObject()
            if let reference = object["$ref"]?.string {
                let parts = reference.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
                let other = String(parts[0].dropLast(".json".count))
                let name =
                    other.isEmpty
                    ? file
                    : other.hasSuffix("common") ? "common" : other.hasPrefix("../../") ? String(other.dropFirst(6)) : "hub/data/\(other)"
                var target = try #require(all[name])
                for step in (parts.count > 1 ? parts[1] : "").split(separator: "/") { target = try #require(target[String(step)]) }
                shape = try #require(try resolved(target, in: name).object)
            }
            for member in object.members where member.name != "$ref" && member.name != "allOf" {
                shape[member.name] = try resolved(member.value, in: file)
            }
            for part in object["allOf"]?.array ?? [] {
                for member in try resolved(part, in: file).object?.members ?? [] { shape[member.name] = shape[member.name] ?? member.value }
            }
            return .object(shape)
        default: return content
        }
    }

    // MARK: places

    /// One place in the values of a schema, with what the schema says of it.
    struct Node {
        var path: [Step] = []
        let schema: JSON
        /// The variant of `made` that has it.
        var variant = 0
        var isRequired = true

        subscript(keyword: String) -> JSON? { schema[keyword] }

        /// Whether it is a member of an object.
        var isMember: Bool { if case .member? = path.last { true } else { false } }

        fileprivate func inner(_ step: Step, _ schema: JSON, isRequired: Bool = true) -> Node {
            Node(path: path + [step], schema: schema, variant: variant, isRequired: isRequired)
        }

        fileprivate var all: [Node] {
            var inner: [Node] = []
            let required = schema["required"]?.array ?? []
            for member in schema["properties"]?.object?.members ?? [] {
                inner.append(self.inner(.member(member.name), member.value, isRequired: required.contains(.string(member.name))))
            }
            for (index, each) in (schema["prefixItems"]?.array ?? []).enumerated() { inner.append(self.inner(.index(index), each)) }
            if let items = schema["items"], items.object != nil { inner.append(self.inner(.element, items)) }
            for (index, form) in schema.forms.enumerated() {
                inner.append(Node(path: path, schema: form, variant: index, isRequired: isRequired))
            }
            return [self] + inner.flatMap(\.all)
        }
    }

    var places: [Node] { Node(schema: content).all }

    // MARK: values

    static let variants = 3

    /// A value with every member, in the order of the schema. Variants take other words of an enumeration and other forms.
    func made(_ variant: Int) -> JSON { Self.made(content, variant: variant, name: "") }

    private static func made(_ schema: JSON, variant: Int, name: String) -> JSON {
        if let value = schema["const"] { return value }
        if let words = schema["enum"]?.array { return words[variant % words.count] }
        let forms = schema.forms
        guard let properties = schema["properties"]?.object?.members else {
            if !forms.isEmpty { return made(forms[variant % forms.count], variant: variant, name: name) }
            return made(simple: schema, variant: variant, name: name)
        }
        // Where forms only name members that they require, those of the other forms are left out.
        let others = forms.indices.filter { $0 != variant % forms.count }.flatMap { forms[$0]["required"]?.array ?? [] }
        var object = JSONObject()
        for member in properties where !others.contains(.string(member.name)) {
            object[member.name] = made(member.value, variant: variant, name: member.name)
        }
        return .object(object)
    }

    private static func made(simple schema: JSON, variant: Int, name: String) -> JSON {
        switch schema["type"]?.string {
        case "object": return .object(schema["patternProperties"] == nil ? [:] : ["a": "Ann"])
        case "array":
            if let each = schema["prefixItems"]?.array { return .array(each.map { made($0, variant: variant, name: name) }) }
            let element = made(schema["items"] ?? .null, variant: variant, name: name)
            return .array(Array(repeating: element, count: Int(max(schema["minItems"]?.int ?? 1, 1))))
        case "boolean": return .bool(true)
        case "number": return .double(1.5)
        case "integer": return .int(min(max(schema["minimum"]?.int ?? 0, 7), schema["maximum"]?.int ?? .max))
        default: return .string(text(schema, name: name))
        }
    }

    /// Texts of a form that their schemas do not tell.
    private static let known = ["salt": String(repeating: "A", count: 22), "wk": String(repeating: "A", count: 64)]
    private static let formed = ["q7f4", "91c3f0", "#91c3f0", "123456", "https://ann/", "/media/AAAAAAAAAAAAAAAAAAAAAA", "off"]

    private static func text(_ schema: JSON, name: String) -> String {
        if let text = known[name] { return text }
        if let pattern = schema["pattern"]?.string {
            return formed.first { $0.range(of: pattern, options: .regularExpression) != nil } ?? pattern
        }
        return "Ann" + String(repeating: "n", count: max(0, Int(schema["minLength"]?.int ?? 0) - 3))
    }

    // MARK: order

    /// The members that values have had, and where their order was another than that of the schema.
    struct Comparison {
        var seen: Set<String> = []
        var misplaced: Set<String> = []
    }

    func compare(_ value: JSON, into comparison: inout Comparison) {
        Self.compare(value, with: content, at: [], into: &comparison)
    }

    private static func compare(_ value: JSON, with schema: JSON, at path: [Step], into comparison: inout Comparison) {
        for form in schema.forms { compare(value, with: form, at: path, into: &comparison) }
        switch value {
        case .object(let object):
            guard let properties = schema["properties"]?.object else { return }
            let names = object.members.map(\.name).filter { properties[$0] != nil }
            let wish = properties.members.map(\.name).filter(names.contains)
            if names != wish { comparison.misplaced.insert("\(path.text): \(names) instead of \(wish)") }
            for member in object.members {
                guard let inner = properties[member.name] else { continue }
                comparison.seen.insert((path + [.member(member.name)]).text)
                compare(member.value, with: inner, at: path + [.member(member.name)], into: &comparison)
            }
        case .array(let elements):
            let each = schema["prefixItems"]?.array ?? []
            for (index, element) in elements.enumerated() {
                let inner = each.indices.contains(index) ? each[index] : schema["items"] ?? .null
                compare(element, with: inner, at: path + [each.isEmpty ? .element : .index(index)], into: &comparison)
            }
        default: return
        }
    }
}

extension JSON {
    /// The forms of a schema of which a value has one.
    fileprivate var forms: [JSON] { self["anyOf"]?.array ?? self["oneOf"]?.array ?? [] }
}

/// One step into a value. `element` stands for each element of a list.
enum Step: Equatable {
    case member(String)
    case element
    case index(Int)
}

extension [Step] {
    var text: String {
        map { step in
            switch step {
            case .member(let name): name
            case .element: "[]"
            case .index(let index): "[\(index)]"
            }
        }.joined(separator: "/")
    }
}

extension JSON {
    /// All values at a path.
    func values(at path: ArraySlice<Step>) -> [JSON] {
        guard let step = path.first else { return [self] }
        var inner: [JSON] = []
        switch step {
        case .member(let name): if let value = self[name] { inner.append(value) }
        case .element: inner = array ?? []
        case .index(let index): if let elements = array, elements.indices.contains(index) { inner.append(elements[index]) }
        }
        return inner.flatMap { value in value.values(at: path.dropFirst()) }
    }

    /// The same with another value at a path, or with none there.
    func replacing(_ path: ArraySlice<Step>, with value: JSON?) -> JSON? {
        guard let step = path.first else { return value }
        let rest = path.dropFirst()
        switch (step, self) {
        case (.member(let name), .object(var object)):
            if let inner = object[name] { object[name] = inner.replacing(rest, with: value) }
            return .object(object)
        case (.element, .array(let elements)):
            return .array(elements.compactMap { element in element.replacing(rest, with: value) })
        case (.index(let index), .array(var elements)) where elements.indices.contains(index):
            elements[index] = elements[index].replacing(rest, with: value) ?? .null
            return .array(elements)
        default: return self
        }
    }
}
