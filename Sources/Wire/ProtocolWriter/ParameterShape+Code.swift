/// The code that reads one parameter from `p`, the members of a command, and writes it into `p`, a JSON object.
extension ParameterShape.Form {
    /// Lines that read it into a constant. `usual` is the default for a missing value.
    func reading(_ wire: String, into name: String, isRequired: Bool, usual: String?) -> [String] {
        var call = "try p.\(method)(\"\(wire)\"\(arguments))"
        if isOutput { call += ".value" }
        if let wrapper { call += ".map(\(wrapper).init)" }
        if isRequired { return ["guard let \(name): \(type) = \(call) else { throw p.missing(\"\(wire)\") }"] }
        if isPatch { return ["let \(name) = \(call)"] }
        guard let usual else { return ["let \(name): \(type)? = \(call)"] }
        // Without its type, a word could be a case of `Optional`.
        return ["let \(name): \(type) = \(call) ?? \(usual.hasPrefix(".") ? type + usual : usual)"]
    }

    /// Lines that write it, unless it is the default.
    func writing(_ value: String, as wire: String, isRequired: Bool, usual: String?) -> [String] {
        if isPatch { return ["p.write(output: \(value), as: \"\(wire)\")"] }
        if isRequired { return [writing(value, as: wire)] }
        if let usual { return ["if \(value) != \(usual) { \(writing(value, as: wire)) }"] }
        return ["if let value = \(value) { \(writing("value", as: wire)) }"]
    }

    private func writing(_ value: String, as wire: String) -> String { "p[\"\(wire)\"] = \(json(value))" }

    private func json(_ value: String) -> String {
        switch method {
        case "int": ".int(Int64(\(value)))"
        case "bool": ".bool(\(value))"
        case "choice": ".string(\(value).rawValue)"
        case "choices": ".array(\(value).map { .string($0.rawValue) })"
        case "entry", "uri": ".string(\(value).text)"
        case "entries", "uris": ".array(\(value).map { .string($0.text) })"
        case "options", "rule", "span": "JSON(\(method): \(value))"
        case "stations": ".array(\(value).map { JSON(station: $0) })"
        case "edits": ".array(\(value).map { JSON(edit: $0) })"
        default: ".string(\(value)\(wrapper == nil ? "" : ".text"))"
        }
    }
}
