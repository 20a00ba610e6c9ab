import BatonCore

/// Commands about sessions of clips.
extension Commands {
    /// Lists sessions with their clips, the newest first.
    public struct ClipsList: HubRequest {
        public typealias Answer = ClipSessions

        public static let kind = RequestKind.clipsList
        public var session: String?

        public init(_ session: String? = nil) { self.session = session }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.token("session", value?.session, length: ClipPlace.idLength))
        }

        package var request: Request { .clips(.list(session)) }
    }

    /// Has a clip made for a cell.
    public struct ClipsAdd: HubRequest {
        public typealias Answer = StartedJob

        public static let kind = RequestKind.clipsAdd
        public var place: ClipPlace
        public var bars: Int
        public var words: String?

        public init(_ place: ClipPlace, bars: Int = ClipPlace.usualBars, words: String? = nil) {
            self.place = place
            self.bars = bars
            self.words = words
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.cell(value?.place),
                bars: try p.int("bars", value?.bars, in: ClipPlace.bars, default: ClipPlace.usualBars),
                words: try p.text("text", value?.words, bytes: 1...PromptBounds.lineBytes))
        }

        package var request: Request { .clips(.add(place, bars: bars, words: words)) }
    }

    /// Lets a clip sound in its scene, or not.
    public struct ClipsTurn: HubRequest {
        public static let kind = RequestKind.clipsTurn
        public var place: ClipPlace
        public var isOn: Bool

        public init(_ place: ClipPlace, on isOn: Bool) {
            self.place = place
            self.isOn = isOn
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.cell(value?.place), on: try p.required("on", p.bool("on", value?.isOn)))
        }

        package var request: Request { .clips(.turn(place, on: isOn)) }
    }

    /// Takes an earlier session up again.
    public struct ClipsResume: HubRequest {
        public static let kind = RequestKind.clipsResume
        public var session: String?

        public init(_ session: String? = nil) { self.session = session }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.token("session", value?.session, length: ClipPlace.idLength))
        }

        package var request: Request { .clips(.resume(session)) }
    }

    /// Has a whole piece made that goes on with the motif of a session.
    public struct ClipsContinue: HubRequest {
        public typealias Answer = StartedJob

        public static let kind = RequestKind.clipsContinue
        public var session: String?
        public var seconds: Int?
        public var target: JobStart.Target

        public init(_ session: String? = nil, seconds: Int? = nil, target: JobStart.Target = .end) {
            self.session = session
            self.seconds = seconds
            self.target = target
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.token("session", value?.session, length: ClipPlace.idLength),
                seconds: try p.int("seconds", value?.seconds, in: ClipPlace.seconds),
                target: try p.choice("at", value?.target, default: .end))
        }

        package var request: Request { .composing(.goOn(session, seconds: seconds, target: target)) }
    }
}

extension Commands.ClipsStart: HubRequest {
    public typealias Answer = ClipSessions
    package var request: Request { .clips(.start(text, name: name, worker: worker)) }
}
extension Commands.ClipsRemove: HubRequest { package var request: Request { .clips(.remove(cell)) } }
extension Commands.ClipsScene: HubRequest { package var request: Request { .clips(.scene(session, scene, name: name)) } }
