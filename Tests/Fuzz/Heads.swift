/// Noise for what a request says before its body, and for the authority in its Host. Nothing may crash, no value may hold what
/// ends a line, and what was understood must be understood again when it is said again.
///
/// Built by `run` beside this file, together with the sources that read such things and that no other module can see:
/// with: Sources/Platform/SocketServer/WebServer/RequestHead.swift Sources/Platform/SocketServer/WebServer/HexDigit.swift Sources/Dialects/Companion/HTTP/Authority.swift
import BatonSeams

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // The first byte chooses what reads, so that one corpus serves all.
    guard count > 1 else { return 0 }
    let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    if start[0] % 2 == 0 { head(bytes) } else { authority(String(decoding: bytes, as: UTF8.self)) }
    return 0
}

private func head(_ bytes: [UInt8]) {
    let end = (try? RequestHead.end(of: bytes)).flatMap { $0 }
    for place in [1, bytes.count / 2, bytes.count] where end != nil {
        // Searched in two steps, as the bytes come.
        let early = (try? RequestHead.end(of: Array(bytes[..<place]))).flatMap { $0 }
        let late = early ?? (try? RequestHead.end(of: bytes, searched: place)).flatMap { $0 }
        precondition(late == end, "Where a head ends depends on how it comes.")
    }
    guard let end, let head = try? RequestHead(bytes[..<end]) else { return }
    // By its bytes: a slash with an accent behind it is another character to Swift.
    precondition(head.path.utf8.first == UInt8(ascii: "/") && !head.path.utf8.contains(0), "A path is none.")
    precondition(head.headers["origin"] != "", "An Origin is empty.")
    var again = "\(head.method?.rawValue ?? "X") /? HTTP/1.1\r\n"
    for (name, value) in head.headers {
        precondition(!value.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 }, "A value ends a line.")
        again += "\(name): \(value)\r\n"
    }
    guard let said = try? RequestHead(Array((again + "\r\n").utf8)) else { fatalError("What was understood is refused.") }
    precondition(said.headers == head.headers, "A header changed its meaning.")
}

private func authority(_ text: String) {
    guard let authority = Authority(text) else { return }
    precondition(!text.contains("@") && !text.contains("/"), "A user or a path is in an authority.")
    let host = authority.kind == .ipv6 ? "[\(authority.host)]" : authority.host
    let said = authority.port.map { "\(host):\($0)" } ?? host
    precondition(Authority(said) == authority, "An authority changed its meaning.")
}
