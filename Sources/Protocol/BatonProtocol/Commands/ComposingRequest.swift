public import BatonCore

/// Commands about music without end, and about other pieces from the plan of one.
public enum ComposingRequest: Equatable, Sendable {
    case endless(EndlessWish)
    case steer(Steer)
    /// `nil` is what is current.
    case vary(ItemURI?, amount: Int, target: JobTarget)
    case again(String, target: JobTarget)
    /// A piece on the motif of a session of clips; `nil` is the one that was begun or taken up last.
    case goOn(String?, seconds: Int?, target: JobTarget)
}

/// How a room's music goes on without end. What is `nil` stays as it was.
public struct EndlessWish: Equatable, Sendable {
    public var isOn: Bool
    /// A line as `PromptLine` reads it.
    public var text: String?
    public var worker: String?
    public var ahead: Int?
    public var follow: EndlessFollow?

    public init(_ isOn: Bool, text: String? = nil, worker: String? = nil, ahead: Int? = nil, follow: EndlessFollow? = nil) {
        self.isOn = isOn
        self.text = text
        self.worker = worker
        self.ahead = ahead
        self.follow = follow
    }

    public static let aheadRange = 1...5
}
