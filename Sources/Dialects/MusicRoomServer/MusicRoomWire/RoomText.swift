/// A JSON writer for music rooms. It writes directly into bytes, because a library of 100,000 tracks is written at once.
package import BatonCore
import BatonJSON

package struct RoomText {
    package private(set) var bytes: [UInt8] = []
    /// Whether the current object or list already has a member.
    private var hasMember = false

    package init() {}

    package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }
    package mutating func raw(_ text: some Sequence<UInt8>) { bytes.append(contentsOf: text) }

    // MARK: Members

    /// Writes an object whose members `body` writes.
    package mutating func object(_ body: (inout RoomText) -> Void) {
        let before = hasMember
        hasMember = false
        bytes.append(UInt8(ascii: "{"))
        body(&self)
        bytes.append(UInt8(ascii: "}"))
        hasMember = before
    }

    package mutating func list<Element>(_ elements: some Sequence<Element>, _ body: (inout RoomText, Element) -> Void) {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            body(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes the name of the next member.
    package mutating func name(_ name: StaticString) {
        if hasMember { bytes.append(UInt8(ascii: ",")) }
        hasMember = true
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func member(_ name: StaticString, _ text: String) {
        self.name(name)
        string(text)
    }

    /// Writes a text, or `null` if there is none.
    package mutating func member(_ name: StaticString, orNull text: String?) {
        self.name(name)
        if let text { string(text) } else { raw("null") }
    }

    package mutating func member(_ name: StaticString, _ number: Int) {
        self.name(name)
        raw(String(number))
    }

    package mutating func member(_ name: StaticString, _ flag: Bool) {
        self.name(name)
        raw(flag ? "true" : "false")
    }

    /// Writes milliseconds as seconds, exactly.
    package mutating func member(_ name: StaticString, seconds ms: Milliseconds) {
        self.name(name)
        let ms = max(0, ms)
        raw(String(ms.seconds))
        guard ms % 1000 > 0 else { return }
        let digits = String((ms % 1000).count + 1000).dropFirst()
        raw("." + digits)
    }

    package mutating func member(_ name: StaticString, _ texts: [String]) {
        self.name(name)
        list(texts) { $0.string($1) }
    }

    // MARK: Strings

    package mutating func string(_ text: String) { JSONText.write(text, to: &bytes) }

    package static func object(_ body: (inout RoomText) -> Void) -> [UInt8] {
        var text = RoomText()
        text.object(body)
        return text.bytes
    }
}
