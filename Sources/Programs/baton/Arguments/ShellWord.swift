/// A word as a person types it into a shell.
enum ShellWord {
    /// The word in quotation marks if a shell would otherwise change it.
    static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || plain.contains($0) }
        return isPlain ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    private static let plain: Set<Unicode.Scalar> = Set("0123456789-_./:+,@%=".unicodeScalars)
}
