public import BatonCore

/// How a room plays. `mode` is the name of it, where it has one; a reader finds the same name in the rest.
public struct ModesSection: SectionContent {
    package static let section = Section.modes

    public var modes: Modes

    package init(_ modes: Modes) { self.modes = modes }
}
