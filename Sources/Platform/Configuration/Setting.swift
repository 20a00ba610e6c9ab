/// A setting of the hub, as it is declared.
package struct Setting<Value: Equatable & Sendable>: AnySetting {
    let about: SettingAbout
    private let kind: Kind<Value>
    private let found: (@Sendable (_ around: Surroundings, _ soFar: HubSettings) -> Value)?

    /// `usual` is the default as the file has it, or words for one that is `found` where the hub runs; `example` is a value of that one.
    /// `comment` stands above the setting in the sample file. Without one it stands below the setting before it.
    init(
        _ name: String, _ kind: Kind<Value>, usual: String, help: String, isLimit: Bool = false, isLive: Bool = false,
        comment: String? = nil, example: [String]? = nil, after: String? = nil, joins: Bool = false,
        found: (@Sendable (_ around: Surroundings, _ soFar: HubSettings) -> Value)? = nil
    ) {
        about = SettingAbout(
            name: name, flag: String(SettingAbout.flatName(name, isLimit).map { $0 == "_" ? "-" : $0 }), isLimit: isLimit, help: help,
            accepts: kind.accepts, placeholder: kind.placeholder, repeats: kind.repeats,
            usual: usual, isLive: isLive, comment: comment, example: example ?? [usual], after: after, joins: joins)
        self.kind = kind
        self.found = found
    }

    func value(of texts: [String], from origin: PathOrigin) -> SettingValue? {
        kind.read(texts, origin).map { SettingValue(value: $0) }
    }

    func usualValue(around: Surroundings, soFar: HubSettings) -> SettingValue {
        if let found { return SettingValue(value: found(around, soFar)) }
        guard let own = value(of: [about.usual], from: PathOrigin(home: around.home)) else {
            preconditionFailure("\(about.path) does not accept its own default.")
        }
        return own
    }
}

/// A setting with a value of any type.
protocol AnySetting: Sendable {
    var about: SettingAbout { get }

    /// `nil` where one of the texts is not acceptable.
    func value(of texts: [String], from origin: PathOrigin) -> SettingValue?

    /// The default, which may depend on settings that are declared before it.
    func usualValue(around: Surroundings, soFar: HubSettings) -> SettingValue
}

struct SettingValue: Equatable, Sendable {
    let value: any Equatable & Sendable

    static func == (a: SettingValue, b: SettingValue) -> Bool { isSame(a.value, b.value) }

    private static func isSame<Value: Equatable>(_ a: Value, _ b: any Equatable) -> Bool { a == b as? Value }
}
