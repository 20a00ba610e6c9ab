/// Conditions that involve several parameters of a command, as code that throws if one is not met.
struct CheckCode {
    /// Parameters by their wire names.
    let parameters: [String: Parameter]

    private static let demands = ["one", "all", "any", "none", "differ", "notBlank", "bytes", "hand"]
    private static let conditions = ["with", "without", "when", "unless"]

    func code(of check: Node) throws(Mistake) -> String {
        let names = try check.members().map(\.name)
        for name in names where !(Self.demands + Self.conditions + ["at", "says"]).contains(name) {
            throw check.mistake("there is no check with \(name)")
        }
        let demands = Self.demands.filter(names.contains), conditions = Self.conditions.filter(names.contains)
        guard demands.count == 1, conditions.count <= 1, let demand = demands.first else {
            throw check.mistake("a check has one demand, and one condition at most")
        }
        // The check is a function of the type, in `BatonProtocol`.
        guard demand != "hand" else { return "try check(faults)" }
        let at = try check.needed("at"), says = try check.needed("says").text()
        _ = try found(at)
        var tests: [String] = []
        for kind in conditions { tests.append(try condition(kind, check.needed(kind))) }
        tests.append(try failure(of: demand, check.needed(demand)))
        return "if \(tests.joined(separator: ", ")) { throw faults.fault(\(Self.literal(try at.text())), \(Self.literal(says))) }"
    }

    private func condition(_ kind: String, _ node: Node) throws(Mistake) -> String {
        switch kind {
        case "with": return try named(node)
        case "without": return "!(\(try named(node)))"
        default:
            var any: [String] = []
            for (name, values) in try node.members() {
                let parameter = try found(name, at: values)
                for value in try values.elements() { any.append("\(parameter.marked) == .\(try value.text())") }
            }
            return "\(kind == "unless" ? "!" : "")(\(any.joined(separator: " || ")))"
        }
    }

    /// Code that is true if the demand is not met.
    private func failure(of demand: String, _ node: Node) throws(Mistake) -> String {
        if demand == "notBlank" { return "\(try found(node).marked).allSatisfy(\\.isWhitespace)" }
        if demand == "bytes" {
            let parameter = try found(node)
            guard let most = parameter.mostBytes else { throw node.mistake("it has no x-maxBytes") }
            return "(\(parameter.marked)?.text.utf8.count ?? 0) > \(most)"
        }
        var names: [String] = []
        for element in try node.elements() { names.append(demand == "differ" ? try found(element).marked : try named(element)) }
        switch demand {
        case "differ": return names.joined(separator: " == ")
        case "one": return "[\(names.joined(separator: ", "))].count(where: { $0 }) != 1"
        case "all": return "!(\(names.joined(separator: " && ")))"
        case "any": return "!(\(names.joined(separator: " || ")))"
        default: return "(\(names.joined(separator: " || ")))"
        }
    }

    /// Code that is true if the parameter is present.
    private func named(_ node: Node) throws(Mistake) -> String {
        let parameter = try found(node)
        return parameter.isRequired ? "true" : "\(parameter.marked) != \(parameter.absent)"
    }

    private func found(_ node: Node) throws(Mistake) -> Parameter { try found(node.text(), at: node) }

    private func found(_ name: String, at node: Node) throws(Mistake) -> Parameter {
        guard let parameter = parameters[name] else { throw node.mistake("the command has no such parameter") }
        return parameter
    }

    private static func literal(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
}
