/// A file of the page, checked and stripped of parts that only its authors read.
///
/// A value. It does not know where files are stored or how they are served.
struct PageFile {
    let name: String
    let text: String

    /// The reason why a file cannot be served as its author meant it.
    struct Refusal: Error, Equatable {
        let line: Int
        let reason: String
    }

    /// The text without indentation, empty lines and comment lines, which saves a seventh on a slow network. Strings
    /// of the page contain no line breaks, so the start of a line is never inside a string.
    func served() throws(Refusal) -> String {
        var isInComment = false
        var kept: [Substring] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.drop { $0 == " " }
            isInComment = isInComment || line.starts(with: "/*")
            if isInComment {
                guard let end = line.firstRange(of: "*/") else { continue }
                guard end.upperBound == line.endIndex else {
                    throw Refusal(
                        line: index + 1, reason: "text follows a comment that begins its line; move the text to a line of its own")
                }
                isInComment = false
            } else if !line.isEmpty, !line.starts(with: "// ") {
                kept.append(line)
            }
        }
        return Self.flat(kept.joined(separator: "\n"))
    }

    /// Rewrites imports for serving from one folder, where every module is a neighbour.
    static func flat(_ text: String) -> String {
        text.replacing(/'\.{1,2}\/(?:[\w.-]+\/)*([\w-]+\.js)'/) { "'./\($0.output.1)'" }
    }

    /// The text as a Swift string literal on one line.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
