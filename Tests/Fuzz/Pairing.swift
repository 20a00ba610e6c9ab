/// Noise for the hub's pairing: `PairingDialogue` says how a script is read and which promises are watched.
///
/// Built by `run` beside this file, like the other targets.
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
    Loop.assumeIsolated {
        do { try PairingDialogue.play(script) } catch { fatalError("\(error)") }
    }
    return 0
}
