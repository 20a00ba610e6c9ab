/// The code that reads one parameter from `p`, the members of a command, and writes it into `p`, a JSON object.
struct ParameterCode {
    private let wire: String
    private let form: ParameterShape.Form
    private let type: String
    /// The type around a text.
    private let wrapper: String?

    init(_ wire: String, _ form: ParameterShape.Form, type: String, wrapper: String?) {
        (self.wire, self.form, self.type, self.wrapper) = (wire, form, type, wrapper)
    }

    /// Lines that read it into a constant. `usual` is the default for a missing value.
    func reading(into name: String, isRequired: Bool, usual: String?) -> [String] {
        var call = "try p.\(form.method)(\"\(wire)\"\(form.arguments))"
        if form.isOutput { call += ".value" }
        if let wrapper { call += ".map(\(wrapper).init)" }
        if isRequired { return ["guard let \(name): \(type) = \(call) else { throw p.missing(\"\(wire)\") }"] }
        if form.isPatch { return ["let \(name) = \(call)"] }
        guard let usual else { return ["let \(name): \(type)? = \(call)"] }
        // Without its type, a word could be a case of `Optional`.
        return ["let \(name): \(type) = \(call) ?? \(usual.hasPrefix(".") ? type + usual : usual)"]
    }

    /// Lines that write it, unless it is the default.
    func writing(_ value: String, isRequired: Bool, usual: String?) -> [String] {
        if form.isPatch { return ["p.write(output: \(value), as: \"\(wire)\")"] }
        if isRequired { return [writing(value)] }
        if let usual { return ["if \(value) != \(usual) { \(writing(value)) }"] }
        return ["if let value = \(value) { \(writing("value")) }"]
    }

    private func writing(_ value: String) -> String { "p[\"\(wire)\"] = \(json(value))" }

    private func json(_ value: String) -> String {
        switch form.method {
        case "int": ".int(Int64(\(value)))"
        case "bool": ".bool(\(value))"
        case "choice": ".string(\(value).rawValue)"
        case "choices": ".array(\(value).map { .string($0.rawValue) })"
        case "entry", "uri": ".string(\(value).text)"
        case "entries", "uris": ".array(\(value).map { .string($0.text) })"
        case "options", "rule", "span": "JSON(\(form.method): \(value))"
        case "stations": ".array(\(value).map { JSON(station: $0) })"
        case "edits": ".array(\(value).map { JSON(edit: $0) })"
        default: ".string(\(value)\(wrapper == nil ? "" : ".text"))"
        }
    }
}
