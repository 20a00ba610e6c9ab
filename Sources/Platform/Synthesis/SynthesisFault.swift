/// The reason why a piece could not be rendered, as a sentence.
package struct SynthesisFault: Error, Equatable {
    package let sentence: String
    /// True if the same may succeed later.
    package let isForNow: Bool

    init(_ sentence: String, isForNow: Bool = false) {
        self.sentence = sentence
        self.isForNow = isForNow
    }
}
