public import BatonCore

/// The modes of a room.
public struct ModesSection: SectionContent {
    package static let section = Section.modes

    /// The modes as the core uses them; the wire has a flat object.
    public var modes: Modes

    package init(_ modes: Modes) { self.modes = modes }
}
