import BatonSeams

/// Takes the lines of a connection.
extension Session {
    func received(line: [UInt8]) {
        // Other protocols begin otherwise: a browser that was led here sends capital letters.
        guard let first = line.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return connection.close() }
        let line = Self.trimmed(line)
        if line == Self.noidle { return endIdle() }
        // While it waits a client may send nothing else.
        guard !idling.isIdle else { return connection.close() }
        if openList != nil { return collect(line) }
        switch line {
        case Self.listBegin: openList = list(showsOK: false)
        case Self.listOKBegin: openList = list(showsOK: true)
        default: begin(Batch(lines: CommandLines(line)))
        }
    }

    private static let noidle = Array("noidle".utf8)
    private static let listBegin = Array("command_list_begin".utf8)
    private static let listOKBegin = Array("command_list_ok_begin".utf8)
    private static let listEnd = Array("command_list_end".utf8)

    /// The line without spaces at its end, as a text of C: it ends with its first zero.
    private static func trimmed(_ line: [UInt8]) -> [UInt8] {
        var end = line.firstIndex(of: 0) ?? line.count
        while end > 0, line[end - 1] <= 0x20 { end -= 1 }
        return end == line.count ? line : Array(line[..<end])
    }

    private func list(showsOK: Bool) -> CommandList {
        CommandList(showsOK: showsOK, mostBytes: client.role == nil ? CommandList.mostBytesOfStrangers : CommandList.mostBytes)
    }

    private func collect(_ line: [UInt8]) {
        guard line == Self.listEnd else {
            if openList?.add(line) != true { connection.close() }
            return
        }
        guard let list = openList else { return }
        openList = nil
        begin(Batch(lines: list.lines, isList: true, showsOK: list.showsOK))
    }

    // MARK: Waiting for events

    func beginIdle(for events: Events) {
        // A client that waits is silent for as long as nothing happens.
        connection.idle = nil
        if let due = idling.begin(for: events) { tell(due) }
    }

    private func endIdle() {
        guard idling.end() else { return }
        connection.idle = dialect.parts.idle
        connection.write(Self.ok)
    }

    private static let ok = Array("OK\n".utf8)

    /// Notes events, and tells them to a client that waits for one of them.
    func notice(_ events: Events) {
        if let due = idling.note(events) { tell(due) }
    }

    private func tell(_ events: Events) {
        connection.idle = dialect.parts.idle
        connection.write(dialect.answer(telling: events))
    }
}
