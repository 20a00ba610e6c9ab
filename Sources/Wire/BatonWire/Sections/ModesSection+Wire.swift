import BatonCore
package import BatonProtocol

/// The JSON form of `ModesSection`.
extension ModesSection: SectionCoding {
    /// Writes the modes. Repeat and shuffle are always there, and all others only with an unusual value.
    package func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.member("repeat", modes.repeat)
            $0.member("shuffle", modes.shuffle)
            if modes.single != .off { $0.member("single", modes.single.rawValue) }
            if modes.consume != .off { $0.member("consume", modes.consume.rawValue) }
            if modes.speed != 1000 { $0.member("speed", modes.speed) }
            if modes.gain != .auto { $0.member("gain", modes.gain.rawValue) }
            if modes.preampDb != 0 { $0.member("preampDb", modes.preampDb) }
            if modes.unfinished != .skip { $0.member("unfinished", modes.unfinished.name.rawValue) }
            $0.member("filler", ifPresent: modes.unfinished.filler?.text)
            if modes.forwardMs != Modes().forwardMs { $0.member("forwardMs", modes.forwardMs) }
            if modes.raisesVoice { $0.member("voice", true) }
            if modes.trims { $0.member("trim", true) }
            if modes.isMono { $0.member("mono", true) }
            if modes.backMs != Modes().backMs { $0.member("backMs", modes.backMs) }
        }
    }

    /// Unknown words of a newer hub are read as the defaults.
    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .modes)
        self.init(Modes())
        modes.repeat = try fields.bool("repeat") ?? false
        modes.shuffle = try fields.bool("shuffle") ?? false
        modes.single = try fields.text("single").flatMap(ModeSwitch.init(rawValue:)) ?? .off
        modes.consume = try fields.text("consume").flatMap(ModeSwitch.init(rawValue:)) ?? .off
        modes.speed = try fields.count("speed") ?? 1000
        modes.gain = try fields.text("gain").flatMap(GainMode.init(rawValue:)) ?? .auto
        modes.preampDb = try fields.int("preampDb", in: Modes.preampRange) ?? 0
        modes.forwardMs = try fields.int("forwardMs", in: Modes.skipRange).map { Milliseconds($0) } ?? modes.forwardMs
        modes.backMs = try fields.int("backMs", in: Modes.skipRange).map { Milliseconds($0) } ?? modes.backMs
        modes.raisesVoice = try fields.bool("voice") ?? false
        modes.trims = try fields.bool("trim") ?? false
        modes.isMono = try fields.bool("mono") ?? false
        let filler = try fields.uri("filler")
        modes.unfinished =
            try fields.text("unfinished").flatMap(Unfinished.Name.init(rawValue:)).flatMap { Unfinished($0, filler: filler) } ?? .skip
    }
}
