import BatonCore
package import BatonProtocol

/// The JSON form of `StateHeader`.
extension StateHeader {
    /// Writes sections that are already encoded: each is encoded once after a change, and the same bytes go to every connection.
    package func encode(into writer: inout JSONWriter, sections: [EncodedSection]) {
        encode(into: &writer) { for section in sections { section.encode(into: &$0) } }
    }

    /// Writes the message around its sections.
    package func encode(into writer: inout JSONWriter, sections: (inout JSONWriter) -> Void) {
        writer.message(Self.type) { message in
            message.flag("full", full)
            message.member("rev", revision)
            message.member("from", ifPresent: from)
            message.member("room", ifPresent: room?.text)
            message.member("s", object: sections)
            if let features { message.member("features", features) }
        }
    }
}

/// The value of a section that the codec writes and reads.
package protocol SectionCoding: SectionContent {
    init(from value: JSON) throws(ProtocolFault)
    func encode(into writer: inout JSONWriter)
}

/// An encoded section, or the message that it is gone.
package struct EncodedSection: Equatable, Sendable {
    package var section: Section
    /// `nil` is sent as `null`, which removes the section.
    package var value: [UInt8]?

    package init(_ section: Section, _ value: [UInt8]?) {
        self.section = section
        self.value = value
    }

    /// Encodes a value once; all clients without size limits of their own get these bytes.
    package init(_ content: some SectionCoding) {
        section = type(of: content).section
        value = JSONWriter.bytes(content.encode)
    }

    /// Bytes of its name, with quotation marks, colon and comma.
    package var nameBytes: Int { section.name.utf8.count + 4 }
    /// Bytes in a message, including its name.
    package var bytes: Int { nameBytes + (value?.count ?? 4) }

    func encode(into writer: inout JSONWriter) {
        writer.name(section)
        if let value { writer.encoded(value) } else { writer.null() }
    }
}

extension JSONWriter {
    /// The name of a section; its value is written next.
    package mutating func name(_ section: Section) { name(section.wireName) }
}

/// A `state` as a client reads it, alone or inside a reply.
package struct StateUpdate: Equatable, Sendable {
    package var header: StateHeader
    /// The sections that are mentioned and known here; a cleared one is `null`.
    package var sections: [Section: JSON]

    package init(header: StateHeader, sections: [Section: JSON]) {
        self.header = header
        self.sections = sections
    }

    init(from fields: Fields) throws(ProtocolFault) {
        header = try StateHeader(from: fields)
        sections = [:]
        for member in try fields.required("s", fields.fields("s")).object.members {
            if let section = Section.named(member.name) { sections[section] = member.value }
        }
    }

    /// The part of this message about one section. A section that a full state leaves out does not exist.
    package func patch(_ section: Section) -> Patch<JSON> {
        switch sections[section] {
        case nil: header.full ? .cleared : .unchanged
        case .null: .cleared
        case let value?: .set(value)
        }
    }

    /// The same with its value read; an unreadable one is a fault of the hub.
    package func patch<Content: SectionCoding>(_ content: Content.Type) throws(ProtocolFault) -> Patch<Content> {
        try patch(Content.section).map { value throws(ProtocolFault) in try Content(from: value) }
    }
}
