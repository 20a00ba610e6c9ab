/// Noise for a whole hub: frames of every kind in any order, on several connections, with time, stalls, cuts and
/// deaths in between. `NoisyDialogue` says how a script is read and which promises are watched.
///
/// Built by `run` beside this file, like the decoders' target; the hub is the one that ships, its clock,
/// journal, sources and players are in memory.
import BatonSeams
import Harness

@_cdecl("LLVMFuzzerInitialize")
public func prepare(_ count: UnsafeMutablePointer<CInt>, _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>)
    -> CInt
{
    // This thread is the loop and never sleeps, so it need not be woken.
    Loop.jobs.adopt {}
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let script = [UInt8](UnsafeBufferPointer(start: start, count: count))
    let isOver = Flag()
    let playing = Task(executorPreference: Loop.jobs) { await play(script, isOver) }
    while !isOver.isRaised { Loop.jobs.turn() }
    withExtendedLifetime(playing) {}
    return 0
}

@Loop
private func play(_ script: [UInt8], _ isOver: Flag) async {
    do { try await NoisyDialogue.play(script) } catch { fatalError("\(error)") }
    isOver.raise()
}

/// Raised and seen on the one thread that is the loop.
private final class Flag: @unchecked Sendable {
    private(set) var isRaised = false
    func raise() { isRaised = true }
}
