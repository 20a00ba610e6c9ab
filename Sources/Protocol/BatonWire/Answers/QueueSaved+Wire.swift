package import BatonProtocol

/// How `QueueSaved` is written as JSON and read from it.
extension QueueSaved {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("saved", saved)
            if passed > 0 { answer.member("passed", passed) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(saved: try fields.required("saved", fields.count("saved")), passed: try fields.count("passed") ?? 0)
    }
}
