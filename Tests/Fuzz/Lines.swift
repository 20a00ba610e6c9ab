/// Noise for the reader of lines. Bytes mean the same one by one, in two pieces and all at once, and no line is longer than allowed.
///
/// Built by `run` beside this file, together with the source that no other module can see:
/// with: Sources/Platform/SocketServer/LineServer/LineReader.swift
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    // The first byte is the bound.
    let limit = Int(start[0])
    let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    let whole = lines(in: [bytes], limit)
    precondition(lines(in: bytes.map { [$0] }, limit) == whole, "Byte by byte the lines are others.")
    let middle = bytes.count / 2
    precondition(lines(in: [Array(bytes[..<middle]), Array(bytes[middle...])], limit) == whole, "In two pieces the lines are others.")
    precondition(whole.allSatisfy { $0.count <= limit && !$0.contains(10) }, "A line is too long, or two.")
    return 0
}

private func lines(in pieces: [[UInt8]], _ limit: Int) -> [[UInt8]] {
    var reader = LineReader(limit: limit)
    var found: [[UInt8]] = []
    for piece in pieces {
        reader.append(piece)
        while let line = try? reader.next() { found.append(line) }
    }
    return found
}
