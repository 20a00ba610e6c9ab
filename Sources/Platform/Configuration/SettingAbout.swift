/// What documents say about a setting of the hub: help, manual, completions and sample file are made of it.
package struct SettingAbout: Sendable {
    /// The name in the file, in snake_case.
    package let name: String
    /// The name on the command line, without the dashes in front.
    package let flag: String
    /// Under `[limits]`.
    package let isLimit: Bool
    package let help: String
    /// Completes "Expected …".
    package let accepts: String
    /// Stands behind the flag; `nil` for one that is yes or no.
    package let placeholder: String?
    package let repeats: Bool
    /// The default, or words for one that depends on where the hub runs.
    package let usual: String
    /// A running hub takes it over when it reads its configuration again; all others wait for its next start.
    let isLive: Bool
    /// Stands above it in the sample file; `nil` for one of which the comment before it speaks, too.
    let comment: String?
    /// Values in the sample file.
    let example: [String]
    /// The setting behind which it stands in the sample file, where that is not the one before it in the help.
    let after: String?
    /// No empty line stands between it and the setting before it.
    let joins: Bool

    /// `limit_` in front of what stands under `[limits]`: flags and variables have no sections.
    static func flatName(_ name: String, _ isLimit: Bool) -> String { (isLimit ? "limit_" : "") + name }

    package static let all = DeclaredSettings.all.map(\.about)

    package var variable: String { "BATON_" + Self.flatName(name, isLimit).uppercased() }
    /// The part of the file it stands in; "" is the top.
    var section: String { isLimit ? "limits" : "" }
    /// As people write it about the file.
    var path: String { (isLimit ? "[limits] " : "") + name }
}
