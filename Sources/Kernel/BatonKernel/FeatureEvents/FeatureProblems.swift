package import BatonSeams

/// The features that do not run, or run only in part, with the reasons. The section of the hub shows them to all clients.
@Loop
package final class FeatureProblems {
    private var all: [(feature: FeatureName, sentence: String)] = []

    var sentences: [String] { all.map(\.sentence) }

    /// Stores a fault and returns its sentence for people; `nil` when it was stored before.
    func note(_ fault: FeatureFault, of feature: FeatureName) -> String? {
        let sentence = "The feature “\(feature.text)” does not run as it should. \(fault.sentence)"
        guard !sentences.contains(sentence) else { return nil }
        all.append((feature, sentence))
        return sentence
    }
}
