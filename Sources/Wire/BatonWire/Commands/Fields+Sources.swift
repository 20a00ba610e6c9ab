import BatonProtocol

/// Readers for parameters of commands about accounts at servers. Faults name the parameter and never its value.
extension Fields {
    func sourceName(_ name: String) throws(ProtocolFault) -> String? {
        try string(name, of: "1 to 32 of a-z 0-9 -, and begin with a letter", where: SourceText.isName)
    }

    func serverURL(_ name: String) throws(ProtocolFault) -> String? {
        let wanted = "http:// or https:// with a host, at most a port and a path, and no user or password"
        return try string(name, of: wanted, where: SourceText.isServerURL)
    }

    func options(_ name: String) throws(ProtocolFault) -> [String: String]? {
        guard let fields = try fields(name) else { return nil }
        let members = fields.object.members
        guard members.count <= SourceText.mostOptions else {
            throw fault(name, "\(name) may have at most \(SourceText.mostOptions) members.")
        }
        var options: [String: String] = [:]
        for member in members {
            guard SourceText.isOptionName(member.name), let text = member.value.string, text.utf8.count <= SourceText.optionBytes else {
                throw fault(name, "Each of \(name) must be text of at most \(SourceText.optionBytes) bytes, with a name of a-z 0-9 _.")
            }
            options[member.name] = text
        }
        return options
    }
}

extension JSON {
    /// Sorted by name, so that equal options are equal texts.
    init(options: [String: String]) {
        var object = JSONObject()
        for (name, value) in options.sorted(by: { $0.key < $1.key }) { object[name] = .string(value) }
        self = .object(object)
    }
}
