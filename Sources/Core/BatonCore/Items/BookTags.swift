/// What lists say of a book beside its title and its authors. Empty text means that it is not known.
public struct BookTags: Equatable, Sendable {
    public var narrators: [String]
    public var series: String
    /// Its number in the series, as its publisher writes it: “2”, “1.5”.
    public var number: String

    package init(narrators: [String] = [], series: String = "", number: String = "") {
        self.narrators = narrators
        self.series = series
        self.number = number
    }

    /// Where it stands in its series, in thousandths. Books without a number stand behind those with one.
    package var placeInSeries: Int {
        guard let number = Double(number), (0..<1e6).contains(number) else { return .max >> 1 }
        return Int(number * 1000 + 0.5)
    }
}
