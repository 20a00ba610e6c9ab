/// The short way of reading a command and the long one: whatever the text, they must not disagree.
import BatonProtocol
import Testing

@testable import BatonWire

@Suite struct PlainCommandTests {
    static let plain = [
        #"{"t":"cmd","id":17,"m":"next","k":"c3f1a9","p":{"from":"q7f3"}}"#,
        #"{"t":"cmd","id":18,"m":"prev","k":"c3f1aa","ct":88374455,"ttl":5000,"p":{"from":"q7f3","restartMs":3000}}"#,
        #" { "p" : { "level" : 42 } , "m" : "vol.set" , "id" : 3 , "t" : "cmd" , "room" : "kitchen" } "#,
        #"{"t":"cmd","id":2147483647,"m":"queue.add","k":"a-_Z","p":{"uris":["/a b/\u00e9.flac","x"],"at":{"after":null}}}"#,
        #"{"t":"cmd","id":1.0,"m":"pause"}"#,
    ]

    /// What must take the long way, where it is refused or read with what the short one does not know.
    static let other = [
        #"{"t":"cmd","id":17,"m":"next","k":"c3f1a9","p":{"from":"q7f3"},"via":"x"}"#, #"{"t":"cmd","id":17,"m":"pause","id":18}"#,
        #"{"t":"cmd","id":17,"m":"pause","p":{"a":1,"a":2}}"#, #"{"t":"cmd","id":0,"m":"pause"}"#,
        #"{"t":"cmd","id":2147483648,"m":"pause"}"#,
        #"{"t":"cmd","id":17}"#, #"{"t":"cmd","m":"pause"}"#, #"{"id":17,"m":"pause"}"#, #"{"t":"cmd","id":17,"m":""}"#,
        #"{"t":"cmd","id":17,"m":"pause","k":"abc"}"#, #"{"t":"cmd","id":17,"m":"pause","k":"ab cd"}"#,
        #"{"t":"cmd","id":17,"m":"pause","p":[]}"#,
        #"{"t":"cmd","id":17,"m":"pause","ttl":600001}"#, #"{"t":"cmd","id":17,"m":"pause","ct":1.5}"#,
        #"{"t":"cmd","id":17,"m":"pause"} x"#,
        #"{"t":"cmd","id":17,"m":"pause",}"#, #"{"t":"cmd" "id":17,"m":"pause"}"#, #"{"t":"time","t1":5}"#, "[]", "", "{", #"{"t":"#,
        #"{"t":"cmd","id":17,"m":"pause","room":""}"#, #"{"\u0074":"cmd","id":17,"m":"pause"}"#,
        #"{"t":"cmd","id":17,"m":"pause","p":{"a":[[[[[[[1]]]]]]]}}"#,
    ]

    private enum Reading: Equatable {
        case message(ClientMessage)
        case fault(ProtocolFault)
    }

    private func reading(_ decode: () throws(ProtocolFault) -> ClientMessage) -> Reading {
        do throws(ProtocolFault) { return .message(try decode()) } catch { return .fault(error) }
    }

    private func expectTheSame(_ bytes: [UInt8], limits: WireLimits = .standard) {
        let short = reading { () throws(ProtocolFault) in try ClientMessage.decode(bytes, limits: limits) }
        let long = reading { () throws(ProtocolFault) in try ClientMessage.decode(whole: bytes.span, limits: limits) }
        #expect(short == long, "\(String(decoding: bytes, as: UTF8.self))")
    }

    @Test(arguments: plain) func `a command as clients write it is read in one walk`(written: String) {
        let bytes = utf8(written)
        #expect(CommandFrame(plain: bytes.span, limits: .standard) != nil)
        expectTheSame(bytes)
    }

    @Test(arguments: other) func `whatever else comes is read the long way`(written: String) {
        let bytes = utf8(written)
        #expect(CommandFrame(plain: bytes.span, limits: .standard) == nil)
        expectTheSame(bytes)
    }

    @Test func `smaller limits of JSON hold on the short way too`() {
        var limits = WireLimits.standard
        limits.json.stringBytes = 5
        for written in Self.plain + Self.other { expectTheSame(utf8(written), limits: limits) }
        limits.json.stringBytes = 4096
        limits.json.depth = 2
        for written in Self.plain + Self.other { expectTheSame(utf8(written), limits: limits) }
        limits.json.members = 3
        for written in Self.plain + Self.other { expectTheSame(utf8(written), limits: limits) }
    }

    @Test(arguments: 0..<20) func `both ways agree on texts with a few bytes changed`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<500 {
            var bytes = utf8((Self.plain + Self.other).randomElement(using: &random)!)  // Never empty.
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let place = bytes.indices.randomElement(using: &random)!  // Not empty.
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = .random(in: .min ... .max, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(utf8(#"{}[]",:\0e-tk"#).randomElement(using: &random)!, at: place)  // Never empty.
                }
            }
            expectTheSame(bytes)
        }
    }
}
