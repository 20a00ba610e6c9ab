import BatonSeams

/// Titles of a live stream, with the byte offset that libmpv had read up to when each arrived.
///
/// libmpv reads ahead, so a title is heard later than it is read. A value.
struct StreamTitles {
    struct Title: Equatable {
        var at: Int64
        var text: String
    }

    /// Number of bytes that libmpv has read.
    private(set) var position: Int64 = 0
    /// Titles that were not taken yet.
    var titles: [Title] = []
    private var newest: String?
    /// Reception times of the sound that was read last and of the oldest stored sound.
    private(set) var received: (at: ContinuousClock.Instant, oldestAt: ContinuousClock.Instant)?

    mutating func read(upTo position: Int64, _ text: String?, _ age: SoundAge?) {
        self.position = position
        let now = ContinuousClock.now
        received = age.map { (now - .milliseconds($0.ms), now - .milliseconds($0.oldestMs)) }
        guard let text, text != newest else { return }
        newest = text
        titles.append(Title(at: position, text: text))
    }

    /// The time at which the sound at a byte offset is heard, in seconds of the stream. `end` is the end of the sound that was read, and
    /// the bit rate is assumed to be constant.
    func seconds(at position: Int64, end: Double) -> Double {
        guard self.position > 0, end > 0 else { return 0 }
        return end * Double(position) / Double(self.position)
    }
}

/// The title that is heard now, and those that come next.
struct DueTitles: Equatable {
    private var order: Int?
    private var waiting: [(seconds: Double, text: String)] = []
    private var text: String?

    mutating func add(_ titles: StreamTitles, end: Double, of order: Int) {
        begin(order)
        waiting += titles.titles.map { (titles.seconds(at: $0.at, end: end), $0.text) }
    }

    /// True if another title is heard now.
    mutating func hear(atSeconds seconds: Double, of order: Int) -> Bool {
        begin(order)
        guard let last = waiting.lastIndex(where: { $0.seconds <= seconds }) else { return false }
        let before = text
        text = waiting[last].text
        waiting.removeFirst(last + 1)
        return text != before
    }

    /// The time of the next title, in seconds of the stream.
    func next(of order: Int) -> Double? { self.order == order ? waiting.first?.seconds : nil }

    func heard(of order: Int) -> String? { self.order == order ? text : nil }

    private mutating func begin(_ order: Int) {
        guard order != self.order else { return }
        self = DueTitles()
        self.order = order
    }

    static func == (a: DueTitles, b: DueTitles) -> Bool {
        a.order == b.order && a.text == b.text && a.waiting.elementsEqual(b.waiting) { $0 == $1 }
    }
}
