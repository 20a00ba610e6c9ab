import BatonCore
package import BatonProtocol

/// How `QueueSection` is written as JSON and read from it.
extension QueueSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        writer.object { queue in
            queue.member("rev", revision)
            queue.member("len", length)
            queue.member("idx", ifPresent: index)
            queue.member("cur", ifPresent: current?.text)
            queue.member("next", ifPresent: next?.text)
            queue.member("nextText", ifPresent: nextText.map { queue.shown($0, .watch) })
            queue.member("undo", ifPresent: undo?.rawValue)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .queue)
        self.init(
            revision: try fields.required("rev", fields.count("rev")),
            length: try fields.required("len", fields.count("len")),
            index: try fields.count("idx"),
            current: try fields.entry("cur"),
            next: try fields.entry("next"),
            nextText: try fields.text("nextText"),
            undo: try fields.text("undo").flatMap(QueueEdit.Kind.init(rawValue:)))
    }
}
