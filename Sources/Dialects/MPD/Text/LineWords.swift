/// The command of a line and its arguments, without their quotes.
///
/// Bytes that are no UTF-8 are replaced, so such an argument finds nothing, as in the original.
struct LineWords: Equatable {
    /// A line that cannot be read.
    enum Fault: Error, Equatable {
        /// The peer speaks another protocol, such as HTTP: its connection is closed without an answer.
        case foreign
        /// The command is no word: the connection is closed after the answer.
        case farewell(Ack)
        case refused(Ack)
    }

    let command: String
    let arguments: [String]

    /// Maximum number of arguments: twice the number of tags that the original knows, and one.
    static let mostArguments = 63

    init(_ line: [UInt8]) throws(Fault) {
        // The original reads a line as a text of C, which ends with its first zero.
        var reader = Reader(line.prefix { $0 != 0 })
        guard let first = reader.rest.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { throw .foreign }
        guard let command = reader.word() else { throw .farewell(Ack(.unknown, "Invalid word character")) }
        self.command = command
        var arguments: [String] = []
        do throws(Ack) {
            while let argument = try reader.argument() {
                if arguments.count == Self.mostArguments { throw Ack(.argument, "Too many arguments") }
                arguments.append(argument)
            }
        } catch {
            throw .refused(error)
        }
        self.arguments = arguments
    }

    /// Takes words from the front of a line.
    private struct Reader {
        var rest: ArraySlice<UInt8>

        init(_ line: ArraySlice<UInt8>) { rest = line }

        /// The command; `nil` where something else than letters, digits and underlines stands in it.
        mutating func word() -> String? {
            let word = rest.prefix { !isSpace($0) }
            guard word.allSatisfy({ isWordByte($0) }) else { return nil }
            skip(word.count)
            return text(word)
        }

        /// The next argument; `nil` at the end of the line.
        mutating func argument() throws(Ack) -> String? {
            guard let first = rest.first else { return nil }
            return first == quote ? try quoted() : try unquoted()
        }

        private mutating func unquoted() throws(Ack) -> String {
            let word = rest.prefix { !isSpace($0) }
            guard !word.contains(where: { $0 == quote || $0 == UInt8(ascii: "'") }) else {
                throw Ack(.unknown, "Invalid unquoted character")
            }
            skip(word.count)
            return text(word)
        }

        private mutating func quoted() throws(Ack) -> String {
            var bytes: [UInt8] = []
            var index = rest.startIndex + 1
            while index < rest.endIndex, rest[index] != quote {
                // The byte behind a backslash stands for itself, whichever it is.
                if rest[index] == UInt8(ascii: "\\") { index += 1 }
                guard index < rest.endIndex else { break }
                bytes.append(rest[index])
                index += 1
            }
            guard index < rest.endIndex else { throw Ack(.unknown, "Missing closing '\"'") }
            let next = index + 1
            guard next == rest.endIndex || isSpace(rest[next]) else { throw Ack(.unknown, "Space expected after closing '\"'") }
            skip(next - rest.startIndex)
            return text(bytes[...])
        }

        private mutating func skip(_ count: Int) { rest = rest.dropFirst(count).drop { isSpace($0) } }

        private let quote = UInt8(ascii: "\"")

        private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

        /// True for a space and all control bytes, which separate words as spaces do.
        private func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }

        private func isWordByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
