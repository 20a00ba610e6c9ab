/// Lines of commands, one behind the other in one piece of memory, since a list may have a million of them.
struct CommandLines: RandomAccessCollection, Equatable {
    private var bytes: [UInt8] = []
    /// The end of each line.
    private var ends: [UInt32] = []

    init() {}

    init(_ line: [UInt8]) { append(line) }

    /// The bytes of all lines with their ends.
    var byteCount: Int { bytes.count + ends.count }
    var startIndex: Int { 0 }
    var endIndex: Int { ends.count }

    subscript(place: Int) -> [UInt8] { Array(bytes[(place == 0 ? 0 : Int(ends[place - 1]))..<Int(ends[place])]) }

    mutating func append(_ line: [UInt8]) {
        bytes += line
        ends.append(UInt32(bytes.count))
    }
}
