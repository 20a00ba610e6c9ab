/// Why a piece did not become sound, in a sentence.
package struct SynthesisFault: Error, Equatable {
    package let sentence: String
    /// The same may succeed later.
    package let isForNow: Bool

    init(_ sentence: String, isForNow: Bool = false) {
        self.sentence = sentence
        self.isForNow = isForNow
    }
}
