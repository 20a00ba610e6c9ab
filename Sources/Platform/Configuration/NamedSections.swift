import BatonProtocol

/// Sections of one kind with names, such as `[worker NAME]`: their order, their settings, and their errors.
struct NamedSections {
    private let word: String
    private let most: Int
    private var names: [String] = []
    private var given: Set<String> = []
    var problems: [String] = []

    static let answers = [
        "yes": true, "on": true, "true": true, "1": true, "no": false, "off": false, "false": false, "0": false,
    ]

    init(_ word: String, most: Int) {
        self.word = word
        self.most = most
    }

    /// The index of a section; `nil` for an invalid name, which is reported once.
    mutating func place(of name: String, _ source: String) -> Int? {
        if let at = names.firstIndex(of: name) { return at }
        guard given.insert("[\(name)]").inserted else { return nil }
        guard SourceText.isName(name) else {
            problems.append("\(source): “\(name)” is no name of a \(word). Expected [\(word) NAME] with 1 to 32 of a-z 0-9 -.")
            return nil
        }
        guard names.count < most else {
            problems.append("\(source): there are more than \(most) sections [\(word) NAME].")
            return nil
        }
        names.append(name)
        return names.count - 1
    }

    /// False for a repeated setting, which is reported.
    mutating func take(_ setting: String, of name: String, _ source: String) -> Bool {
        if given.insert("\(name)/\(setting)").inserted { return true }
        problems.append("\(source): [\(word) \(name)] \(setting) is given twice.")
        return false
    }

    func has(_ setting: String, of name: String) -> Bool { given.contains("\(name)/\(setting)") }
}
