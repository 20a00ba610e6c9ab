package import BatonProtocol

/// How the answer to `gen.steer` is written as JSON and read from it.
extension SteeredPiece {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("job", ifPresent: job)
            if let title { answer.member("title", answer.shown(title, DisplayText(bytes: 144))) }
            answer.member("piece", ifPresent: piece)
            answer.member("ahead", ifPresent: ahead)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("job") || fields.has("piece") else { throw fields.missing("piece") }
        self.init(
            job: try fields.text("job"), title: try fields.text("title"), piece: try fields.count("piece"),
            ahead: try fields.count("ahead"))
    }
}
