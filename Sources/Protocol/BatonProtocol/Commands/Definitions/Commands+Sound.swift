public import BatonCore

/// Commands about how loud a room is and how it plays.
extension Commands {
    /// Sets the volume.
    public struct VolumeSet: HubRequest {
        public static let kind = RequestKind.volumeSet
        public var level: Int

        public init(_ level: Int) { self.level = level }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("level", p.int("level", value?.level, in: ParameterRange.level)))
        }

        package var request: Request { .room(.setLevel(level)) }
    }

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

    /// Mutes the room, or lets it be heard again.
    public struct VolumeMute: HubRequest {
        public static let kind = RequestKind.volumeMute
        public var isOn: Bool

        public init(_ isOn: Bool) { self.isOn = isOn }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.required("on", p.bool("on", value?.isOn)))
        }

        package var request: Request { .room(.setMute(isOn)) }
    }

    /// Modes that are `nil` stay.
    public struct ModeSet: HubRequest {
        public static let kind = RequestKind.modeSet
        /// Instead of `repeat` and `shuffle`.
        public var mode: NamedMode?
        public var `repeat`: Repeat?
        public var shuffle: Bool?
        /// Permille of normal speed.
        public var speed: Int?
        public var gain: GainMode?
        public var preampDb: Int?
        public var unfinished: Unfinished.Name?
        /// With `filler`: the item, or the playlist.
        public var filler: ItemURI?
        /// How far the buttons of clients go in speech.
        public var forwardMs: Int?
        public var backMs: Int?

        public init(
            mode: NamedMode? = nil, repeat: Repeat? = nil, shuffle: Bool? = nil, speed: Int? = nil, gain: GainMode? = nil,
            preampDb: Int? = nil, unfinished: Unfinished.Name? = nil, filler: ItemURI? = nil, forwardMs: Int? = nil,
            backMs: Int? = nil
        ) {
            self.mode = mode
            self.repeat = `repeat`
            self.shuffle = shuffle
            self.speed = speed
            self.gain = gain
            self.preampDb = preampDb
            self.unfinished = unfinished
            self.filler = filler
            self.forwardMs = forwardMs
            self.backMs = backMs
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            try p.notBuilt("crossfadeMs")
            try p.notBuilt("autoplay")
            return Self(
                mode: try p.choice("mode", value?.mode), repeat: try p.choice("repeat", value?.repeat),
                shuffle: try p.bool("shuffle", value?.shuffle), speed: try p.int("speed", value?.speed, in: Modes.speedRange),
                gain: try p.choice("gain", value?.gain), preampDb: try p.int("preampDb", value?.preampDb, in: Modes.preampRange),
                unfinished: try p.choice("unfinished", value?.unfinished), filler: try p.uri("filler", value?.filler),
                forwardMs: try p.int("forwardMs", value?.forwardMs, in: Modes.skipRange),
                backMs: try p.int("backMs", value?.backMs, in: Modes.skipRange))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            if (unfinished == .filler) != (filler != nil) {
                throw faults.fault("filler", "The item that fills in goes with unfinished: filler, and only with that.")
            }
            if let filler, filler.text.utf8.count > Self.fillerBytes {
                throw faults.fault("filler", "The item that fills in has at most \(Self.fillerBytes) bytes.")
            }
            guard mode != nil else { return }
            // Two answers to one question: the sender has not decided.
            for (name, isThere) in [("repeat", `repeat` != nil), ("shuffle", shuffle != nil)] where isThere {
                throw faults.fault(name, "Name a mode, or repeat and shuffle, not both.")
            }
        }

        /// The section `modes` names it, and is short.
        static let fillerBytes = 128

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
}
