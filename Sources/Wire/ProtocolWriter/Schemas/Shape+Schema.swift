import BatonJSON

/// Reading of shapes from schemas.
extension Shape {
    /// `owner` is the type that declares the shape's own type, and `name` the name of that.
    init(_ schema: Schema, of owner: String, named name: String) throws(Mistake) {
        if let shared = try Self.shared(schema) { self = shared } else { self = try Self.own(schema, of: owner, named: name) }
    }

    /// A shape of `common.json` that has a named type.
    private static func shared(_ schema: Schema) throws(Mistake) -> Shape? {
        guard let reference = schema.reference else { return nil }
        if let type = try schema.type() {
            return Shape(form: schema["enum"] == nil ? .identifier : .word, type: type, unknown: try schema["x-unknown"]?.text())
        }
        if let called = try schema.shapeName() {
            return Shape(form: schema["enum"] == nil ? .object : .name, type: Names.capitalised(called))
        }
        switch reference {
        case "span": return Shape(form: .pair, type: "ClosedRange<Int>")
        case "pace": return Shape(form: .pair, type: "Pace")
        case "options": return Shape(form: .options, type: "[String: String]")
        default: return nil
        }
    }

    private static func own(_ schema: Schema, of owner: String, named name: String) throws(Mistake) -> Shape {
        if schema["x-flag"] != nil { return Shape(form: .flag, type: "Bool") }
        if schema["x-flag"] == nil, schema["type"] == nil, schema["enum"] == nil, let value = schema["const"]?.value {
            if value.bool == nil, let code = value.code { return Shape(form: .constant, type: code) }
        }
        if schema["const"]?.value.bool != nil { return Shape(form: .bool, type: "Bool") }
        if schema["enum"] != nil, schema["type"] == nil {
            let form = schema["x-words"] == nil ? Form.word : .code, hand = try schema["x-type"]?.text()
            return Shape(form: form, type: hand ?? "\(owner).\(Names.capitalised(name))", unknown: try schema["x-unknown"]?.text())
        }
        if let bytes = try schema.int("x-bytes") { return Shape(form: .bytes, type: "[UInt8]", first: bytes) }
        switch try schema["type"]?.text() {
        case "boolean": return Shape(form: .bool, type: "Bool")
        case "string" where schema["x-type"] != nil:
            return Shape(form: .identifier, type: try schema.node.needed("x-type").text(), isLenient: true)
        case "string": return Shape(form: .text, type: "String", cut: try cut(schema))
        case "integer": return try number(schema, unit: Names.unit(of: name))
        case "object":
            let hand = try schema["x-type"]?.text(), type = Names.capitalised(try schema.called() ?? name)
            return Shape(form: .object, type: hand ?? "\(owner).\(type)")
        case "array":
            if let hand = try schema["x-type"]?.text() { return Shape(form: .array, type: hand) }
            if schema["x-pair"] != nil { return Shape(form: .pair, type: "ClosedRange<Int>") }
            if try schema["items"]?["$ref"]?.text().hasSuffix("/section") == true { return Shape(form: .names, type: "SectionSet") }
            guard let items = schema["items"] else { throw schema.node.mistake("items is missing") }
            let element = try Shape(schema.inner(items), of: owner, named: items["called"]?.text() ?? "row")
            return Shape(form: .list(element), type: "[\(element.type)]", first: try schema.int("x-first"))
        default: throw schema.node.mistake("no codec can be written for this shape; x-hand says why one is written by hand")
        }
    }

    private static func number(_ schema: Schema, unit: String?) throws(Mistake) -> Shape {
        let numbers = schema["enum"]?.value.array?.compactMap(\.int)
        var least = try schema.int("minimum"), most = try schema.int("maximum")
        if let numbers { (least, most) = (numbers.min(), numbers.max()) }
        // Times and sizes need 64 bits even on machines whose `Int` has 32; revisions stay small.
        guard schema.reference == "revision" || (least != nil && most ?? 0 <= Int64(Int32.max)) else {
            return Shape(form: .int64, type: unit ?? "Int64", isTime: unit != nil)
        }
        let isLenient = schema["x-lenient"] != nil
        guard let least, let most, least < 0 || isLenient else {
            return Shape(form: .int, type: unit ?? "Int", isTime: unit != nil)
        }
        return Shape(form: .int, type: unit ?? "Int", isTime: unit != nil, isLenient: isLenient, bounds: "\(least)...\(most)")
    }

    private static func cut(_ schema: Schema) throws(Mistake) -> String? {
        guard let cut = schema["x-text"] else { return nil }
        if cut.value.string == "watch" { return ".watch" }
        if cut.value.string == "message" { return "DisplayText(bytes: .max)" }
        guard let bytes = cut.value.int else { throw cut.mistake("it must be a number of bytes, watch or message") }
        return "DisplayText(bytes: \(bytes))"
    }
}
