/// The Swift code of the type and its codec.
extension SchemaType {
    /// The access level. Sections for watches repeat those for remotes, so programs do not need them.
    private var access: String {
        if case .section(let name) = use, name.hasPrefix("watch") { return "package" }
        return "public"
    }

    private var conformance: String { if case .section = use { "SectionContent" } else { "Equatable, Sendable" } }

    var declaration: String {
        let own = name.split(separator: ".").last.map(String.init) ?? name
        var text = "\(comment)\(access) struct \(own): \(conformance) {\n"
        if case .section(let section) = use { text += "    package static let section = Section.\(section)\n\n" }
        if name == outer { text += enumerations }
        for member in members { text += "\(member.comment)    \(access) var \(member.marked): \(member.declared)\n" }
        text += "\n    package init(\(arguments.map(\.argument).joined(separator: ", "))) {\n"
        for member in members { text += "        self.\(member.marked) = \(member.marked)\n" }
        text += "    }\n}\n"
        for part in parts { text += "\n\(part.inside)" }
        return text
    }

    /// Its declaration inside the outer type.
    var inside: String { "extension \(outer) {\n\(name == outer ? "" : enumerations)\(declaration)}\n" }

    private var enumerations: String {
        words.map { name, type, cases, comment in
            "\(comment)    \(access) enum \(name): \(type), CaseIterable, Sendable { case \(cases.joined(separator: ", ")) }\n\n"
        }.joined()
    }

    var codec: String {
        var lines = ["extension \(name)\(use.isSection ? ": SectionCoding" : "") {"]
        switch use {
        case .part: lines.append("    func encodeMembers(into w: inout JSONWriter) {")
        case .section: lines.append("    package func encode(into writer: inout JSONWriter) {")
        case .answer: lines.append("    package func encode(into writer: inout JSONWriter, bytes \(isPaged ? "most" : "_"): Int) {")
        }
        if let spare = members.lazy.compactMap(\.spare).first {
            let all = use.isSection ? "min(writer.count + Self.section.cap, writer.bounds.message)" : "writer.count + most"
            lines.append("        let end = \(all)\(spare == 0 ? "" : " - \(spare)")")
        }
        let writing = least == nil ? members.flatMap { $0.writing(in: self) } : members.map(\.element)
        if use == .part {
            lines += writing.map { "        \($0)" }
        } else {
            lines += ["        writer.\(least == nil ? "object" : "array") { w in"] + writing.map { "            \($0)" } + ["        }"]
        }
        lines += ["    }", ""]
        switch use {
        case .part: lines.append("    init(from fields: Fields) throws(ProtocolFault) {")
        case .section(let section):
            lines.append("    package init(from value: JSON) throws(ProtocolFault) {")
            let list = least.map { ", least: \($0)" }
            lines.append("        let fields = try Fields(\(list == nil ? "section" : "list"): value, .\(section)\(list ?? ""))")
        case .answer:
            lines.append("    package init(from value: JSON) throws(ProtocolFault) {")
            lines.append("        let fields = try Fields(result: value)")
        }
        if let last = alternatives.last {
            let has = alternatives.map { "fields.has(\"\($0)\")" }.joined(separator: " || ")
            lines.append("        guard \(has) else { throw fields.missing(\"\(last)\") }")
        }
        lines.append("        self.init(\n            \(arguments.map(\.reading).joined(separator: ",\n            ")))")
        lines += ["    }", "}", ""]
        return lines.joined(separator: "\n") + parts.map { "\n\($0.codec)" }.joined()
    }
}

extension SchemaType.Use {
    var isSection: Bool { if case .section = self { true } else { false } }
}
