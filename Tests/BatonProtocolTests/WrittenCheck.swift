import BatonWire

/// One of the checks that a definition in `Protocol/commands` has: what its parameters must be together.
struct WrittenCheck {
    /// The answer where it fails, as `FaultRecording` spells it.
    let said: String
    private let check: JSON
    private let parameters: JSON

    /// `nil` for a check that is written by hand.
    init?(_ check: JSON, of parameters: JSON) {
        guard let place = check["at"]?.string, let sentence = check["says"]?.string else { return nil }
        said = "bad_request /p/\(place) \(sentence)"
        self.check = check
        self.parameters = parameters
    }

    /// The parameters that it joins.
    var names: Set<String> {
        let parts = check.object?.members.filter { $0.name != "at" && $0.name != "says" }.map(\.value) ?? []
        return Set(parts.flatMap { part in part.array?.compactMap(\.string) ?? part.object?.members.map(\.name) ?? [part.string ?? ""] })
    }

    func fails(for p: JSONObject) -> Bool {
        guard applies(to: p) else { return false }
        if let names = list("one") { return names.count(where: { isNamed($0, in: p) }) != 1 }
        if let names = list("all") { return !names.allSatisfy { isNamed($0, in: p) } }
        if let names = list("any") { return !names.contains { isNamed($0, in: p) } }
        if let names = list("none") { return names.contains { isNamed($0, in: p) } }
        if let names = list("differ") { return p[names[0]] == p[names[1]] }
        if let name = check["notBlank"]?.string { return p[name]?.string?.allSatisfy(\.isWhitespace) == true }
        guard let name = check["bytes"]?.string, let most = parameters[name]?["x-maxBytes"]?.int else { return false }
        return (p[name]?.string?.utf8.count ?? 0) > Int(most)
    }

    private func applies(to p: JSONObject) -> Bool {
        if let name = check["with"]?.string { return isNamed(name, in: p) }
        if let name = check["without"]?.string { return !isNamed(name, in: p) }
        if let values = check["when"]?.object { return holds(values, in: p) }
        if let values = check["unless"]?.object { return !holds(values, in: p) }
        return true
    }

    private func holds(_ values: JSONObject, in p: JSONObject) -> Bool {
        values.members.allSatisfy { member in member.value.array?.contains { $0 == p[member.name] } == true }
    }

    private func isNamed(_ name: String, in p: JSONObject) -> Bool { p[name] != nil && p[name] != parameters[name]?["absent"] }

    private func list(_ name: String) -> [String]? { check[name]?.array?.compactMap(\.string) }
}
