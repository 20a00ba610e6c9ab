/// The Swift code of the type and its codec.
extension SchemaType {
    /// The access level. Sections for watches repeat those for remotes, so programs do not need them.
    private var access: String {
        switch use {
        case .section(let name) where name.hasPrefix("watch"): "package"
        default: isOfPackage ? "package" : "public"
        }
    }

    private var conformance: String { if case .section = use { "SectionContent" } else { "Equatable, Sendable" } }

    /// A stored property, with its argument of the initialiser and the one with which the reader calls that.
    private struct Field { var name, type, comment, argument, reading, access: String }

    /// One for each member, and one for the members of a value together.
    private func fields(of members: [SchemaMember]) -> [Field] {
        var fields: [Field] = []
        for member in members where !member.isConstant {
            guard let name = member.value else {
                fields.append(
                    Field(
                        name: member.marked, type: member.declared, comment: member.comment, argument: member.argument,
                        reading: member.reading, access: member.isOfPackage ? "package" : access))
                continue
            }
            guard !fields.contains(where: { $0.name == name }), let value = values.first(where: { $0.name == name }) else { continue }
            let parts = members.filter { $0.value == name }.map(\.reading).joined(separator: ", "), type = value.type
            let argument = "\(name): \(type)", reading = "\(name): \(type)(\(parts))"
            fields.append(Field(name: name, type: type, comment: value.comment, argument: argument, reading: reading, access: access))
        }
        return fields
    }

    var declaration: String {
        guard isDeclared else { return parts.map(\.inside).joined(separator: "\n") }
        let own = name.split(separator: ".").last.map(String.init) ?? name
        var text = "\(comment)\(access) struct \(own): \(conformance) {\n"
        if case .section(let section) = use { text += "    package static let section = Section.\(section)\n\n" }
        if case .message(let type) = use { text += "    package static let type = \"\(type)\"\n\n" }
        if name == outer { text += enumerations }
        for field in fields(of: members) { text += "\(field.comment)    \(field.access) var \(field.name): \(field.type)\n" }
        text += "\n    \(isMade ? access : "package") init(\(fields(of: arguments).map(\.argument).joined(separator: ", "))) {\n"
        for field in fields(of: members) { text += "        self.\(field.name) = \(field.name)\n" }
        text += "    }\n}\n"
        for part in parts { text += "\n\(part.inside)" }
        return text
    }

    /// Its declaration in the type around it.
    var inside: String { isDeclared ? "extension \(outer) {\n\(name == outer ? "" : enumerations)\(declaration)}\n" : "" }

    private var enumerations: String {
        words.map { name, type, cases, comment in
            "\(comment)    \(access) enum \(name): \(type), CaseIterable, Sendable { case \(cases.joined(separator: ", ")) }\n\n"
        }.joined()
    }

    var codec: String {
        var lines = ["extension \(name)\(use.isSection ? ": SectionCoding" : "") {"]
        if hasWriter { lines += writer + [""] }
        switch use {
        case .part, .message: lines.append("    init(from \(isStrict ? "p" : "fields"): Fields) throws(ProtocolFault) {")
        case .section(let section):
            lines.append("    package init(from value: JSON) throws(ProtocolFault) {")
            let list = least.map { ", least: \($0)" }
            if isText { return (lines + ["        self.init(try value.text(.\(section)))", "    }", "}", ""]).joined(separator: "\n") }
            lines.append("        let fields = try Fields(\(list == nil ? "section" : "list"): value, .\(section)\(list ?? ""))")
        case .answer:
            lines.append("    package init(from value: JSON) throws(ProtocolFault) {")
            lines.append("        let fields = try Fields(result: value)")
        }
        if let last = alternatives.last {
            let has = alternatives.map { "fields.has(\"\($0)\")" }.joined(separator: " || ")
            lines.append("        guard \(has) else { throw fields.missing(\"\(last)\") }")
        }
        if isStrict { lines += members.flatMap(\.strict).map { "        \($0)" } }
        lines.append("        self.init(\n            \(fields(of: arguments).map(\.reading).joined(separator: ",\n            ")))")
        lines += ["    }", "}", ""]
        return lines.joined(separator: "\n") + parts.map { "\n\($0.codec)" }.joined()
    }

    /// The lines that write it as JSON.
    private var writer: [String] {
        if isText { return ["    package func encode(into w: inout JSONWriter) { \(members[0].element) }"] }
        var lines: [String]
        switch use {
        case .part: lines = ["    func encodeMembers(into w: inout JSONWriter) {"]
        case .section where isListed:
            lines = [
                "    package func encode(into writer: inout JSONWriter) {",
                "        encode(into: &writer, bytes: min(Self.section.cap, writer.bounds.message - writer.count), atLeast: 0)", "    }",
                "",
                "    package func encode(into writer: inout JSONWriter, bytes most: Int) { encode(into: &writer, bytes: most, atLeast: 1) }",
                "",
                "    private func encode(into writer: inout JSONWriter, bytes most: Int, atLeast least: Int) {",
            ]
        case .section, .message: lines = ["    package func encode(into writer: inout JSONWriter) {"]
        case .answer: lines = ["    package func encode(into writer: inout JSONWriter, bytes \(isPaged ? "most" : "_"): Int) {"]
        }
        if let spare = members.lazy.compactMap(\.spare).first {
            let all = use.isSection && !isListed ? "min(writer.count + Self.section.cap, writer.bounds.message)" : "writer.count + most"
            lines.append("        let end = \(all)\(spare == 0 ? "" : " - \(spare)")")
        }
        var writing = least == nil ? members.flatMap { $0.writing(in: self) } : members.map(\.element)
        if let key { writing.insert("guard \(key) != nil else { return }", at: 0) }
        if use == .part {
            lines += writing.map { "        \($0)" }
        } else {
            let opening = use.isMessage ? "message(Self.type)" : least == nil ? "object" : "array"
            lines += ["        writer.\(opening) { w in"] + writing.map { "            \($0)" } + ["        }"]
        }
        return lines + ["    }"]
    }
}

extension SchemaType.Use {
    var isMessage: Bool { if case .message = self { true } else { false } }
    var isSection: Bool { if case .section = self { true } else { false } }
}
