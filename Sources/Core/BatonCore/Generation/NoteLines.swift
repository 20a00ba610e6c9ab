/// A small stored text: lines of a name and a value. Values have no line breaks.
struct NoteLines {
    private(set) var lines: [(name: String, value: String)] = []

    init() {}

    init(_ text: String) {
        // Split by scalars, since a value that begins with a combining mark forms one `Character` with the space before it.
        lines = text.unicodeScalars.split(separator: "\n").compactMap { line in
            guard let space = line.firstIndex(of: " ") else { return nil }
            return (String(line[..<space]), String(line[line.index(after: space)...]))
        }
    }

    var text: String { lines.map { "\($0.name) \($0.value)" }.joined(separator: "\n") }

    subscript(name: String) -> String? {
        get { lines.first { $0.name == name }?.value }
        set { if let newValue { add(name, newValue) } }
    }

    mutating func add(_ name: String, _ value: String) {
        lines.append((name, String(String.UnicodeScalarView(value.unicodeScalars.map { $0 == "\n" || $0 == "\r" ? " " : $0 }))))
    }

    func all(_ name: String) -> [String] { lines.filter { $0.name == name }.map(\.value) }
}
