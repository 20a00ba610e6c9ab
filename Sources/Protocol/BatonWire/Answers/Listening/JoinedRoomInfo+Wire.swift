import BatonCore
package import BatonProtocol

/// The JSON form of `JoinedRoomInfo`.
extension JoinedRoomInfo {
    package func encode(into writer: inout JSONWriter, bytes _: Int) {
        writer.object { answer in
            guard let source else { return }
            answer.member("source", source)
            answer.member("room", ifPresent: room)
            if let name { answer.member("name", answer.shown(name, DisplayText(bytes: 256))) }
            answer.member("state", ifPresent: state?.rawValue)
            if let sentence { answer.member("msg", answer.shown(sentence, DisplayText(bytes: 512))) }
            if attempt > 0 { answer.member("tries", attempt) }
            answer.member("who", listeners)
            answer.member("count", listenerCount)
            answer.member("mode", ifPresent: mode?.rawValue)
            answer.member("length", length)
            answer.member("expectedMs", ifPresent: expectedMs)
            answer.member("ownMs", ifPresent: ownMs)
            answer.member("driftMs", ifPresent: driftMs)
            answer.member("speed", speed)
            answer.member("events", array: { list in for event in events { list.object(event.encodeMembers) } })
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        self.init()
        let fields = try Fields(result: value)
        source = try fields.text("source")
        room = try fields.text("room")
        name = try fields.text("name")
        state = try fields.text("state").flatMap(State.init(rawValue:))
        sentence = try fields.text("msg")
        attempt = try fields.count("tries") ?? 0
        listeners = try fields.texts("who") ?? []
        listenerCount = try fields.count("count") ?? 0
        mode = try fields.text("mode").flatMap(NamedMode.init(rawValue:))
        length = try fields.count("length") ?? 0
        expectedMs = try fields.count("expectedMs")
        ownMs = try fields.count("ownMs")
        driftMs = try fields.int64("driftMs").map { Int($0) }
        speed = try fields.count("speed") ?? 1000
        if fields.has("events") { events = try fields.cappedList("events", Event.init(from:)).elements }
    }
}
