/// The part of an answer beside the outcome: the result of a query, or the thing that a command has made.
///
/// The hub hands over the whole value. A codec cuts long lists to the length of a page when it writes them, and the
/// client asks on from there.
package protocol ReplyContent: Equatable, Sendable {
    /// Passes itself to the codec under its own type, so that no type is searched for while an answer is written. The lists end
    /// where a page of `bytes` does.
    func write(to writer: inout some ReplyWriter & ~Copyable, bytes: Int)
}

extension ReplyContent {
    fileprivate func isEqual(to other: any ReplyContent) -> Bool { other as? Self == self }
}

extension Reply {
    /// Compares the contents by their own types, because an existential value has no `==` of its own.
    public static func == (one: Reply, other: Reply) -> Bool {
        guard one.id == other.id, one.outcome == other.outcome, one.revision == other.revision, one.stamps == other.stamps,
            one.queue == other.queue
        else { return false }
        guard let content = one.data, let otherContent = other.data else { return one.data == nil && other.data == nil }
        return content.isEqual(to: otherContent)
    }
}

/// The answer of a command whose outcome says everything.
public struct NoAnswer: Equatable, Sendable {
    package init() {}
}
