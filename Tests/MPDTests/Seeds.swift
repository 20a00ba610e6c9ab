import Foundation

private let environment = ProcessInfo.processInfo.environment

/// The seeds of a property: `BATON_SEED` names the first and `BATON_SEEDS` says how many; otherwise they are the usual ones from 0. A failing
/// test names its seed.
func seedRange(usually count: UInt64) -> Range<UInt64> {
    let first = environment["BATON_SEED"].flatMap(UInt64.init) ?? 0
    return first..<first + (environment["BATON_SEEDS"].flatMap(UInt64.init) ?? count)
}
