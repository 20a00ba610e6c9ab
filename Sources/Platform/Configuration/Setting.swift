/// The declaration of a setting. Only the initialiser requires equatable values: a constraint of the type would be looked up at each start,
/// for each type of value.
package struct Setting<Value: Sendable>: AnySetting {
    let about: SettingAbout
    private let read: @Sendable ([String], PathOrigin) -> SettingValue?
    private let found: (@Sendable (_ around: ProcessEnvironment, _ soFar: HubSettings) -> SettingValue)?

    /// `usual` is the default in the file's format, or words for a default that is `found` at run time; `example` is then a sample value.
    /// `comment` is printed above the setting in the sample file. Without one, the setting follows the one before it.
    init(
        _ name: String, _ kind: Kind<Value>, usual: String, help: String, isLimit: Bool = false, isLive: Bool = false,
        comment: String? = nil, example: [String]? = nil, after: String? = nil, joins: Bool = false,
        found: (@Sendable (_ around: ProcessEnvironment, _ soFar: HubSettings) -> Value)? = nil
    ) where Value: Equatable {
        about = SettingAbout(
            name: name, flag: String(SettingAbout.flatName(name, isLimit).map { $0 == "_" ? "-" : $0 }), isLimit: isLimit, help: help,
            accepts: kind.accepts, placeholder: kind.placeholder, repeats: kind.repeats,
            usual: usual, isLive: isLive, comment: comment, example: example ?? [usual], after: after, joins: joins)
        read = { texts, origin in kind.read(texts, origin).map { SettingValue(value: $0) } }
        if let found {
            self.found = { around, soFar in SettingValue(value: found(around, soFar)) }
        } else {
            self.found = nil
        }
    }

    func value(of texts: [String], from origin: PathOrigin) -> SettingValue? { read(texts, origin) }

    func usualValue(around: ProcessEnvironment, soFar: HubSettings) -> SettingValue {
        if let found { return found(around, soFar) }
        guard let own = value(of: [about.usual], from: PathOrigin(home: around.home)) else {
            preconditionFailure("\(about.path) does not accept its own default.")
        }
        return own
    }
}

/// A setting with a value of any type.
protocol AnySetting: Sendable {
    var about: SettingAbout { get }

    /// `nil` if one of the texts is invalid.
    func value(of texts: [String], from origin: PathOrigin) -> SettingValue?

    /// The default, which may depend on settings that are declared before it.
    func usualValue(around: ProcessEnvironment, soFar: HubSettings) -> SettingValue
}

struct SettingValue: Equatable, Sendable {
    let value: any Equatable & Sendable

    static func == (a: SettingValue, b: SettingValue) -> Bool { isSame(a.value, b.value) }

    private static func isSame<Value: Equatable>(_ a: Value, _ b: any Equatable) -> Bool { a == b as? Value }
}
