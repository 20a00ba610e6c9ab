/// The effect of a prompt word on the music. A word may have several.
enum Meaning: Equatable {
    case tempo(ClosedRange<Int>)
    /// Points added to the style's energy or brightness.
    case energy(Int)
    case brightness(Int)
    case mode(Key.Mode)
    case metre(Metre)
    case style(Style)
    case form(FormKind)
    /// A MIDI program, and its possible roles, the likeliest first.
    case instrument(Int, [PartRole])
    case kit(Int)
    /// No other instruments than the named ones.
    case solo

    /// The form used in the document of the words.
    package var text: String {
        switch self {
        case .tempo(let range): "tempo \(range.lowerBound) to \(range.upperBound)"
        case .energy(let points): points < 0 ? "energy \(points)" : "energy +\(points)"
        case .brightness(let points): points < 0 ? "brightness \(points)" : "brightness +\(points)"
        case .mode(let mode): "mode \(mode.rawValue)"
        case .metre(let metre): "metre \(metre.rawValue)"
        case .style(let style): "style \(style.rawValue)"
        case .form(let form): "form \(form.rawValue)"
        case .instrument(let program, let roles):
            "\((Instrument.of(program)?.name ?? "").lowercased()) as \(roles.map(\.name).joined(separator: " or "))"
        case .kit(let kit): (Instrument.kits[kit] ?? "").lowercased()
        case .solo: "only the instruments that are named"
        }
    }
}
