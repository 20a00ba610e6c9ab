/// The writer's exact text.
import BatonProtocol
import BatonWire
import Testing

@Suite struct JSONWriterTests {
    @Test func `members and elements are separated by commas and nothing else`() {
        let written = text {
            $0.object { root in
                root.member("a", 1)
                root.member("b", [])
                root.member("c", object: { $0.member("d", true) })
                root.member(
                    "e",
                    array: { list in
                        list.int(-1)
                        list.array { _ in }
                        list.object { _ in }
                        list.null()
                    })
                root.member("f", ["{", "[", ":", ","])
                root.member("g", ifPresent: nil as String?)
                root.flag("h", false)
                root.flag("i", true)
            }
        }
        #expect(written == #"{"a":1,"b":[],"c":{"d":true},"e":[-1,[],{},null],"f":["{","[",":",","],"i":1}"#)
    }

    @Test func `only what must be escaped is escaped`() {
        #expect(text { $0.string("a\"b\\c/d\u{7F}é🎵") } == "\"a\\\"b\\\\c/d\u{7F}é🎵\"")
        #expect(text { $0.string("\u{8}\t\n\u{C}\r\u{0}\u{1F}") } == #""\b\t\n\f\r\u0000\u001f""#)
    }

    @Test(arguments: [0, 7, -7, 10, 99, 100, 999, 1000, 9999, 10_000, 99_999_999, Int64.max, Int64.min])
    func `integers are written in full`(value: Int64) {
        #expect(text { $0.int(value) } == "\(value)")
    }

    @Test func `a number that is none becomes null`() {
        #expect(text { $0.array { for value in [Double.infinity, .nan, -0.5, 1e300] { $0.double(value) } } } == "[null,null,-0.5,1e+300]")
    }

    @Test func `headroom stands in front of the text and is not part of it`() throws {
        var writer = JSONWriter(headroom: 3)
        writer.array { $0.int(1) }
        let (count, text) = (writer.count, Array(writer.text))
        #expect(count == 3 && text == utf8("[1]"))
        let bytes = writer.finish()
        #expect(bytes == [0, 0, 0] + utf8("[1]"))
    }

    @Test func `what was taken back leaves no trace`() {
        let written = text {
            $0.array { list in
                list.int(1)
                let before = list.count
                list.string("too long")
                list.truncate(to: before)
                list.int(2)
            }
        }
        #expect(written == "[1,2]")
    }

    @Test func `a member that was taken back after its name is written without a comma`() {
        let written = text {
            $0.object { root in
                root.name("a")
                let before = root.count
                root.object { $0.member("b", 1) }
                root.truncate(to: before)
                root.int(2)
                root.member("c", 3)
            }
        }
        #expect(written == #"{"a":2,"c":3}"#)
    }

    @Test func `a letter that needs an escape is found at whatever place it stands`() throws {
        var missed: [String] = []
        for length in 1...18 {
            for place in 0..<length {
                for code in UInt8(0)..<128 {
                    var letters = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                    letters[place] = code
                    let value = String(decoding: letters, as: UTF8.self)
                    let written = JSONWriter.bytes { $0.string(value) }
                    if try JSON.parse(written).string != value { missed.append(value) }
                }
            }
        }
        #expect(missed.isEmpty)
    }

    @Test(arguments: [0, 1, 255, 525, 526, 527, 528, 529, 5000])
    func `a text is whole at whatever length the room for it ends`(length: Int) {
        let plain = String(repeating: "x", count: length)
        let escaped = String(repeating: "\n\u{1}", count: length)
        var writer = JSONWriter(headroom: 14)
        writer.array {
            $0.string(plain)
            $0.string(escaped)
            $0.encoded(utf8(#""\#(plain)""#))
            $0.bool(true)
        }
        let expected = #"["\#(plain)","\#(String(repeating: #"\n\u0001"#, count: length))","\#(plain)",true]"#
        let text = String(decoding: writer.text, as: UTF8.self)
        #expect(text == expected)
        let bytes = writer.finish()
        #expect(bytes.count == 14 + expected.utf8.count)
    }
}
