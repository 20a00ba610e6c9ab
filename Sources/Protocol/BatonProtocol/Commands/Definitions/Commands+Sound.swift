import BatonCore

/// Commands about how loud a room is and how it plays.
extension Commands {
    /// Changes the volume by a number of points, up or down.
    public struct VolumeStep: HubRequest {
        public static let kind = RequestKind.volumeStep
        public var step: Int

        public init(by step: Int) { self.step = step }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(by: try p.required("d", p.int("d", value?.step, in: -100...100)))
        }

        package var request: Request { .room(.stepLevel(by: step)) }
    }
}

extension Commands.VolumeSet: HubRequest { package var request: Request { .room(.setLevel(level)) } }
extension Commands.VolumeMute: HubRequest { package var request: Request { .room(.setMute(isOn)) } }
extension Commands.ModeSet: HubRequest {
    package var request: Request {
        var change = ModeChange(
            repeat: `repeat`, shuffle: shuffle, speed: speed, gain: gain, preampDb: preampDb,
            unfinished: unfinished.flatMap { Unfinished($0, filler: filler) }, forwardMs: forwardMs, backMs: backMs)
        if let mode {
            change.repeat = mode.change.repeat
            change.shuffle = mode.change.shuffle
        }
        return .room(.setModes(change))
    }
}
