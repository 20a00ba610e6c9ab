/// Why a piece did not become sound, in a sentence.
package struct SynthesisFault: Error, Equatable {
    package let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}
