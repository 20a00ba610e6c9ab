/// The answer to `gen.steer`: the piece that the press shapes.
public struct SteeredPiece: Equatable, Sendable {
    /// The job, where the piece waits for the composer already.
    public var job: String?
    public var title: String?
    /// Where it is asked for later: its number in the room's endless music, and how many pieces come before it.
    public var piece: Int?
    public var ahead: Int?

    package init(job: String? = nil, title: String? = nil, piece: Int? = nil, ahead: Int? = nil) {
        self.job = job
        self.title = title
        self.piece = piece
        self.ahead = ahead
    }
}

extension SteeredPiece: CommandAnswer {
    public static let form: ReplyData.Form? = .steered

    public init?(_ data: ReplyData?) {
        guard case .steered(let value)? = data else { return nil }
        self = value
    }
}
