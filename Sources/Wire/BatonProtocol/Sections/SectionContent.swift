/// The value of one section.
package protocol SectionContent: Equatable, Sendable {
    static var section: Section { get }
}
