/// Facts about a book in lists, beside title and authors. Empty text means unknown.
public struct BookTags: Equatable, Sendable {
    /// The name of the series, without the number.
    public var series: String
    /// The number in the series, as the publisher writes it: “2”, “1.5”.
    public var number: String
    /// The readers of the recording; empty where they are not known.
    public var narrators: [String]

    package init(series: String = "", number: String = "", narrators: [String] = []) {
        self.series = series
        self.number = number
        self.narrators = narrators
    }

    /// The position in the series, in thousandths. Books without a number come last.
    package var numberInSeries: Int {
        guard let number = Double(number), (0..<1e6).contains(number) else { return .max >> 1 }
        return Int(number * 1000 + 0.5)
    }
}
