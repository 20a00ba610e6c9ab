package import BatonSeams

/// The features that do not run, or not as a whole, each with a sentence that says why. The section of the hub shows them to all clients.
@Loop
package final class FeatureProblems {
    private var all: [(feature: FeatureName, sentence: String)] = []

    package var sentences: [String] { all.map(\.sentence) }

    /// The sentence for people; `nil` when it was noted before.
    package func note(_ fault: FeatureFault, of feature: FeatureName) -> String? {
        let sentence = "The feature “\(feature.text)” does not run as it should. \(fault.sentence)"
        guard !sentences.contains(sentence) else { return nil }
        all.append((feature, sentence))
        return sentence
    }
}
