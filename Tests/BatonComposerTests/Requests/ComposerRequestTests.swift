import BatonJSON
import Testing

@testable import BatonComposer

/// Requests to the composer, good and bad.
@Suite struct ComposerRequestTests {
    private static let recipe = Prompt.recipe("pop", seed: 1, seconds: 30).text

    private func request(_ text: String) throws -> ComposerRequest { try ComposerRequest(Array(text.utf8)) }

    private func complaint(_ text: String) -> String? {
        do {
            _ = try request(text)
            return nil
        } catch { return (error as? ComposerFault)?.sentence }
    }

    @Test func `prompt, length and seed are read, and unknown members skipped`() throws {
        let request = try request(#"{"prompt":"slow rain","durationS":42,"seed":"18446744073709551615","later":[1,{"a":2}]}"#)

        #expect(request.prompt == "slow rain" && request.seconds == 42 && request.seed == .max)
    }

    @Test func `without a length a piece has a minute, and without a seed the prompt gives it`() throws {
        #expect(try request(#"{"prompt":"a"}"#).plan == Prompt.recipe("a", seed: Prompt.seed(of: "a"), seconds: 60))
    }

    @Test func `a recipe is made again as it is`() throws {
        #expect(try request(#"{"recipe":"\#(Self.recipe)"}"#).plan.text == Self.recipe)
        #expect(try request(#"{"recipe":"\#(Self.recipe)","prompt":"techno"}"#).plan.text == Self.recipe)
    }

    @Test func `a variation by nothing is the same piece, by all another`() throws {
        #expect(try request(#"{"vary":{"recipe":"\#(Self.recipe)","amount":0}}"#).plan.text == Self.recipe)
        #expect(try request(#"{"vary":{"recipe":"\#(Self.recipe)","amount":100},"seed":"4"}"#).plan.text != Self.recipe)
    }

    @Test(arguments: [#""motif":"RECIPE""#, #""motif":{"recipe":"RECIPE"}"#])
    func `a piece is followed on its motif`(member: String) throws {
        let earlier = try Recipe(Self.recipe)

        let plan = try request("{\(member.replacing("RECIPE", with: Self.recipe))}").plan

        #expect(plan.motif == earlier.motif && plan.seconds == earlier.seconds && plan != earlier)
    }

    @Test func `a motif alone is put under a prompt`() throws {
        let plan = try request(#"{"prompt":"rock 4/4","motif":{"tones":"e4g4i4e4"}}"#).plan

        #expect(plan.motif.code == "e4g4i4e4")
    }

    @Test func `a loop is asked for by its layer and its bars, and has four without a number`() throws {
        #expect(try request(#"{"prompt":"pop","clip":{"layer":"bass","bars":64}}"#).clip == Clip(.bass, bars: 64))
        #expect(try request(#"{"prompt":"pop","clip":{"layer":"vocals"}}"#).score.bars == 4)
    }

    @Test func `a loop without a layer, or with too many bars, is refused in a sentence`() {
        #expect(complaint(#"{"prompt":"pop","clip":{}}"#)?.contains("textures") == true)
        #expect(complaint(#"{"prompt":"pop","clip":"bass"}"#)?.contains("textures") == true)
        #expect(complaint(#"{"prompt":"pop","clip":{"layer":"bass","bars":65}}"#)?.contains("1 to 64") == true)
        #expect {
            _ = try self.request(#"{"prompt":"40 bpm 5/4","clip":{"layer":"bass","bars":64}}"#).score
        } throws: { ($0 as? ComposerFault)?.sentence.contains("ask for fewer") == true }
    }

    @Test func `steering counts`() throws {
        let plain = try request(#"{"prompt":"pop"}"#).plan
        let steered = try request(#"{"prompt":"pop","steer":{"calmer":2}}"#).plan

        #expect(steered.energy < plain.energy)
    }

    @Test(arguments: [
        ("", "no JSON"), ("[]", "object"), ("{}", "no prompt"), (#"{"prompt":""}"#, "empty"), (#"{"prompt":"  "}"#, "empty"),
        (#"{"prompt":7}"#, "prompt"), (#"{"prompt":"a\u0007b"}"#, "control"), (#"{"prompt":"a","durationS":9}"#, "durationS"),
        (#"{"prompt":"a","durationS":181}"#, "durationS"), (#"{"prompt":"a","durationS":10.5}"#, "durationS"),
        (#"{"prompt":"a","durationS":"60"}"#, "durationS"), (#"{"prompt":"a","seed":-1}"#, "seed"),
        (#"{"prompt":"a","seed":"+1"}"#, "seed"),
        (#"{"prompt":"a","seed":"18446744073709551616"}"#, "seed"), (#"{"recipe":"x"}"#, "recipe"), (#"{"vary":{"amount":5}}"#, "vary"),
        (#"{"vary":{"recipe":"RECIPE","amount":101}}"#, "amount"), (#"{"prompt":"a","steer":{"calmer":11}}"#, "calmer"),
        (#"{"prompt":"a","steer":[]}"#, "steer"), (#"{"prompt":"a","motif":3}"#, "motif"),
        (#"{"prompt":"a","motif":{"tones":"zz"}}"#, "motif"),
        (#"{"prompt":"a","soundfont":"a\u0000b"}"#, "control"), (#"{"prompt":"a""#, "no JSON"),
    ])
    func `a bad value is named in a sentence`(text: String, word: String) {
        let sentence = complaint(text.replacing("RECIPE", with: Self.recipe))

        #expect(sentence?.contains(word) == true, "\(sentence ?? "accepted")")
    }

    @Test func `a prompt has at most 512 characters`() throws {
        #expect(try request("{\"prompt\":\"\(String(repeating: "ä", count: 512))\"}").prompt.count == 512)
        #expect(complaint("{\"prompt\":\"\(String(repeating: "ä", count: 513))\"}")?.contains("512") == true)
    }

    /// Damaged requests are refused in a sentence or read; none traps.
    @Test(arguments: UInt64(0)..<400) func `damaged requests do no harm`(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func below(_ count: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(count))
        }
        var bytes = Array(
            #"{"prompt":"slow","durationS":60,"seed":"1","vary":{"recipe":"\#(Self.recipe)","amount":5},"steer":{"calmer":1}}"#.utf8)
        for _ in 0...below(5) {
            switch below(3) {
            case 0: bytes[below(bytes.count)] = UInt8(below(256))
            case 1: bytes.remove(at: below(bytes.count))
            default: bytes.insert(UInt8(below(256)), at: below(bytes.count))
            }
        }

        do throws(ComposerFault) {
            #expect(try ComposerRequest(bytes).plan.text.utf8.count <= Recipe.longest)
        } catch { #expect(error.sentence.contains(" ")) }
    }
}
