import BatonCore
package import BatonProtocol

/// The JSON form of `ClockSample` and its parts.
extension ClockSample {
    /// As a `time` message.
    package func encode(into writer: inout JSONWriter) {
        writer.message("time", encodeMembers)
    }
}

extension Welcome {
    init(from fields: Fields) throws(ProtocolFault) {
        let bounds = try fields.required("pace", fields.list("pace", count: 2...2, of: "milliseconds") { $0.int.map { Int($0) } })
        self.init(
            version: try fields.required("v", fields.count("v")),
            session: try fields.required("sess", fields.text("sess")),
            epoch: try fields.required("epoch", fields.text("epoch")),
            boot: try fields.required("boot", fields.text("boot")),
            // An unknown role is read as listener.
            role: Role(rawValue: try fields.required("role", fields.text("role"))) ?? .listener,
            span: try fields.list("span", count: 2...2, of: "a level") { $0.int.map { Int($0) } }.flatMap {
                $0[0] <= $0[1] ? $0[0]...$0[1] : nil
            },
            who: try fields.text("who"),
            caps: try fields.texts("caps") ?? [],
            pace: Pace(minMs: bounds[0], maxMs: bounds[1]),
            longest: try fields.count("max"),
            mac: try fields.text("mac"),
            clock: try ClockSample(from: fields))
    }

    package func encode(into writer: inout JSONWriter) {
        writer.message(Self.type) { message in
            message.member("v", version)
            message.member("sess", session)
            message.member("epoch", epoch)
            message.member("boot", boot)
            message.member("role", role.rawValue)
            if let span { message.member("span", span) }
            message.member("who", ifPresent: who)
            message.member("caps", caps)
            message.member("pace", array: pace.encode)
            message.member("max", ifPresent: longest)
            message.member("mac", ifPresent: mac)
            clock.encodeMembers(into: &message)
        }
    }
}
