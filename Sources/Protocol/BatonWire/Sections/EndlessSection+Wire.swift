import BatonCore
package import BatonProtocol

/// How `EndlessSection` is written as JSON and read from it.
extension EndlessSection: SectionCoding {
    private static let text = DisplayText(bytes: 144)

    package func encode(into writer: inout JSONWriter) {
        writer.object { section in
            section.member("on", isOn)
            section.member("prompt", section.shown(prompt, Self.text))
            section.member("ahead", ahead)
            section.member("follow", follow.rawValue)
            section.member("worker", ifPresent: worker)
            if let author { section.member("by", section.shown(author, .watch)) }
            section.member("at", startedMs)
            section.member("n", made)
            if !steering.isEmpty {
                section.member("steer", steering.prefix(Self.mostSteering).map(\.rawValue))
            }
            if let sentence { section.member("msg", section.shown(sentence, DisplayText(bytes: 256))) }
        }
    }

    private static let mostSteering = 16

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .endless)
        self.init(
            isOn: try fields.required("on", fields.bool("on")), prompt: try fields.text("prompt") ?? "",
            ahead: try fields.count("ahead") ?? 0, follow: try fields.choice("follow") ?? .motif, worker: try fields.text("worker"),
            author: try fields.text("by"), startedMs: try fields.int64("at") ?? 0, made: try fields.count("n") ?? 0,
            steering: (value["steer"]?.array ?? []).compactMap { $0.string.flatMap { Steer(rawValue: $0) } },
            sentence: try fields.text("msg"))
    }
}
