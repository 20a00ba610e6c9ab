import BatonCore
package import BatonProtocol

/// How the answers to `clips.start` and `clips.list` are written as JSON and read from it.
extension ClipSessions {
    package func encode(into writer: inout JSONWriter, bytes most: Int) {
        let end = writer.count + most - 32
        writer.object { answer in
            let written = answer.member("sessions", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
            let left = rows.count - written + more
            if left > 0 { answer.member("more", left) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("sessions") else { throw fields.missing("sessions") }
        self.init(
            try fields.cappedList("sessions") { row throws(ProtocolFault) in try ClipSessionRow(from: row) }.elements,
            more: try fields.count("more") ?? 0)
    }
}

extension ClipSessionRow {
    private static let text = DisplayText(bytes: 144)
    private static let sentence = DisplayText(bytes: 400)

    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("session", session)
        writer.member("name", writer.shown(name, Self.text))
        writer.member("prompt", writer.shown(prompt, Self.text))
        if let worker { writer.member("worker", writer.shown(worker, .watch)) }
        if let author { writer.member("by", writer.shown(author, .watch)) }
        writer.member("at", startedMs)
        writer.member("uri", uri.text)
        writer.member("tempo", ifPresent: tempo)
        writer.member("key", ifPresent: key)
        writer.member("scene", scene)
        writer.member(
            "scenes",
            array: { list in
                for scene in scenes {
                    list.object {
                        $0.member("name", $0.shown(scene.name, Self.text))
                        $0.member("dur", ifPresent: scene.durationMs)
                        if let sentence = scene.sentence { $0.member("msg", $0.shown(sentence, Self.sentence)) }
                    }
                }
            })
        writer.member(
            "clips",
            array: { list in
                for clip in clips {
                    list.object {
                        $0.member("layer", clip.layer.rawValue)
                        $0.member("scene", clip.scene)
                        $0.member("bars", clip.bars)
                        $0.member("job", clip.job)
                        $0.member("st", clip.state.name)
                        $0.flag("heard", clip.isHeard)
                        $0.flag("off", clip.isOff)
                    }
                }
            })
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            session: try fields.required("session", fields.text("session")), name: try fields.text("name") ?? "",
            prompt: try fields.text("prompt") ?? "", worker: try fields.text("worker"), author: try fields.text("by"),
            startedMs: try fields.int64("at") ?? 0, uri: try fields.required("uri", fields.uri("uri")), tempo: try fields.count("tempo"),
            key: try fields.text("key"),
            scene: try fields.count("scene") ?? 1,
            scenes: try fields.cappedList("scenes") { scene throws(ProtocolFault) in
                Scene(name: try scene.text("name") ?? "", durationMs: try scene.count("dur"), sentence: try scene.text("msg"))
            }.elements,
            clips: try fields.cappedList("clips") { clip throws(ProtocolFault) in
                Clip(
                    layer: try clip.required("layer", clip.choice("layer")), scene: try clip.count("scene") ?? 1,
                    bars: try clip.count("bars") ?? 0, job: try clip.text("job") ?? "",
                    state: JobRow.State(name: try clip.text("st") ?? ""), isHeard: try clip.flag("heard"),
                    isOff: try clip.flag("off"))
            }.elements)
    }
}
