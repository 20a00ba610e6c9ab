import BatonCore
package import BatonProtocol

/// How `SleepSection` is written as JSON and read from it.
extension SleepSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        writer.object { sleep in
            sleep.member("end", end.rawValue)
            if end == .track || end == .chapter { sleep.member("n", count) }
            sleep.member("leftMs", ifPresent: leftMs)
            sleep.member("atMs", atMs)
            sleep.member("rate", rate)
            if fadeMs > 0 { sleep.member("fadeMs", fadeMs) }
            if isOver { sleep.member("over", 1) }
        }
    }

    /// What a newer hub waits for is shown as a time.
    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .sleep)
        self.init(
            try fields.text("end").flatMap(SleepEnd.init(rawValue:)) ?? .time, count: try fields.count("n") ?? 1,
            leftMs: try fields.count("leftMs"), atMs: try fields.required("atMs", fields.int64("atMs")),
            rate: try fields.required("rate", fields.count("rate")), fadeMs: try fields.count("fadeMs") ?? 0,
            isOver: try fields.count("over") == 1)
    }
}
