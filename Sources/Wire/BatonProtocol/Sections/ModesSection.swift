public import BatonCore

/// The modes of a room. `mode` is their common name, if they have one; a reader computes it from the other members.
public struct ModesSection: SectionContent {
    package static let section = Section.modes

    /// The modes as the core uses them; the wire has a flat object.
    public var modes: Modes

    package init(_ modes: Modes) { self.modes = modes }
}
