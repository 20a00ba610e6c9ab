import BatonSeams

/// The last answers to `list` and `count` about the whole library. Programs ask for the same few each time they connect, and each takes a look at all songs.
@Loop
final class LastLists {
    struct Question: Equatable {
        var tags: [TagName]
        var counts: Bool
    }

    /// Bytes of all that are kept: the albums of a large library are some megabytes.
    private static let mostBytes = 4 << 20

    private var answers: [(question: Question, bytes: [UInt8])] = []

    func answer(to question: Question) -> [UInt8]? { answers.first { $0.question == question }?.bytes }

    func keep(_ bytes: [UInt8], for question: Question) {
        guard bytes.count <= Self.mostBytes else { return }
        answers.removeAll { $0.question == question }
        while answers.reduce(bytes.count, { $0 + $1.bytes.count }) > Self.mostBytes { answers.removeFirst() }
        answers.append((question, bytes))
    }

    /// Called when songs have changed, and when the last connection has ended.
    func forget() { answers = [] }
}
