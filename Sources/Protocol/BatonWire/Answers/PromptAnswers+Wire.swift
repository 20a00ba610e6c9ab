import BatonCore
package import BatonProtocol

/// The JSON form of a person's prompts.
extension PromptShelf {
    package func encode(into writer: inout JSONWriter, bytes most: Int) {
        // The oldest prompts are left out if not all fit.
        let end = writer.count + most - 32
        writer.object { answer in
            answer.member("settings", object: prompts.settings.encodeMembers)
            answer.member(
                "presets",
                array: { list in
                    for preset in prompts.presets {
                        list.object {
                            $0.member("name", preset.name)
                            $0.member("text", preset.text)
                            $0.flag("own", preset.isOwn)
                        }
                    }
                })
            let written = answer.member("history", prompts.history, upTo: end, atLeast: 0) { used, list in
                list.object {
                    $0.member("text", used.text)
                    $0.member("at", used.atMs)
                }
            }
            if written < prompts.history.count { answer.member("more", prompts.history.count - written) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        let settings = try fields.required("settings", fields.fields("settings"))
        self.init(
            PersonPrompts(
                settings: try PromptSettings(from: settings),
                history: try fields.cappedList("history") { used throws(ProtocolFault) in
                    UsedPrompt(try used.text("text") ?? "", atMs: try used.int64("at") ?? 0)
                }.elements,
                presets: try fields.cappedList("presets") { preset throws(ProtocolFault) in
                    PromptPreset(try preset.text("name") ?? "", try preset.text("text") ?? "", isOwn: try preset.flag("own"))
                }.elements))
    }
}

extension PromptSettings {
    func encodeMembers(into writer: inout JSONWriter) {
        writer.member("dur", ifPresent: durationS)
        writer.member("model", ifPresent: model)
        writer.member("cfg", ifPresent: cfg)
        writer.member("seed", ifPresent: seed)
    }

    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            durationS: try fields.count("dur"), model: try fields.text("model"), cfg: try fields.text("cfg"), seed: try fields.text("seed"))
    }
}
