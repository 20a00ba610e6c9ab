package import BatonComposer
import CFluidSynth
import Synchronization

/// libfluidsynth, which renders a score into memory as fast as possible.
///
/// It runs on the calling thread, without an audio device or threads of the library. It reads the font in `init` and no file afterwards.
/// Settings, synth and font are created in `init` and freed in `deinit`.
@safe package final class Synthesizer {
    private let settings: OpaquePointer
    private let synth: OpaquePointer

    /// Number of frames in a block of the library; notes start at multiples of it.
    private static let block = 64
    /// The library fills tables at its first synth, and a second one that is made meanwhile would read them half filled.
    private static let making = Mutex(())
    /// Low enough that a loud chorus does not exceed the range of later steps; mastering makes it louder.
    private static let gain = 0.4
    /// Time for the reverb of a loop's last tones.
    private static let ringing = Sound.rate * 4

    package init(_ font: SoundFont) throws(SynthesisFault) {
        cfluidsynth_be_quiet()
        guard let settings = unsafe new_fluid_settings() else { throw SynthesisFault("libfluidsynth did not start: no memory.") }
        unsafe fluid_settings_setnum(settings, "synth.sample-rate", Double(Sound.rate))
        unsafe fluid_settings_setnum(settings, "synth.gain", Self.gain)
        unsafe fluid_settings_setint(settings, "synth.chorus.active", 0)
        unsafe fluid_settings_setint(settings, "synth.threadsafe-api", 0)
        unsafe fluid_settings_setint(settings, "synth.lock-memory", 0)
        // Both handles stay on this thread.
        nonisolated(unsafe) var made: OpaquePointer?
        nonisolated(unsafe) let given = unsafe settings
        Self.making.withLock { _ in unsafe made = new_fluid_synth(given) }
        guard let synth = unsafe made else {
            unsafe delete_fluid_settings(settings)
            throw SynthesisFault("libfluidsynth did not start: no memory.")
        }
        guard unsafe fluid_synth_sfload(synth, font.path, 1) >= 0 else {
            unsafe delete_fluid_synth(synth)
            unsafe delete_fluid_settings(settings)
            throw SynthesisFault("libfluidsynth cannot read the sound font \"\(font.path)\". \(SoundFont.advice)")
        }
        unsafe self.settings = settings
        unsafe self.synth = synth
    }

    deinit {
        unsafe delete_fluid_synth(synth)
        unsafe delete_fluid_settings(settings)
    }

    /// Renders the whole piece. `progress` is called at each section with the finished part and the next section.
    package func play(_ score: Score, progress: (Double, SectionRole) -> Void) throws(SynthesisFault) -> Sound {
        let sound = Sound(frames: score.recipe.seconds * Sound.rate)
        try perform(score, into: sound, progress: progress)
        sound.fade(lastFrames: Sound.rate)
        return sound
    }

    /// Renders a loop of exactly the length of its bars. Tones that still sound at its end continue at its beginning.
    package func loop(_ score: Score, progress: (Double, SectionRole) -> Void) throws(SynthesisFault) -> Sound {
        let frames = TickClock(score).frame(score.ticks)
        let sound = Sound(frames: frames + Self.ringing)
        try perform(score, into: sound, progress: progress)
        sound.fade(lastFrames: Sound.rate)
        return sound.folded(to: frames)
    }

    private func perform(_ score: Score, into sound: Sound, progress: (Double, SectionRole) -> Void) throws(SynthesisFault) {
        let clock = TickClock(score)
        for message in score.parts.flatMap(\.settings) { send(message) }
        var sections = score.sections[...]
        var done = 0
        for event in ScoreEvents.all(score) {
            let frame = min(sound.frames, clock.frame(event.at) / Self.block * Self.block)
            try render(sound, from: done, to: frame)
            done = max(done, frame)
            send(event.bytes)
            if let section = sections.first, event.at >= section.firstBar * score.recipe.metre.barTicks {
                progress(Double(done) / Double(sound.frames), section.role)
                sections = sections.dropFirst()
            }
        }
        try render(sound, from: done, to: sound.frames)
    }

    private func render(_ sound: Sound, from: Int, to: Int) throws(SynthesisFault) {
        guard to > from else { return }
        let left = unsafe UnsafeMutableRawPointer(sound.samples.baseAddress! + from * 2)
        // Left and right alternate in one buffer, so each has a stride of two.
        guard unsafe fluid_synth_write_float(synth, Int32(to - from), left, 0, 2, left, 1, 2) == 0 else {
            throw SynthesisFault("libfluidsynth stopped playing at second \(from / Sound.rate).")
        }
    }

    private func send(_ bytes: [UInt8]) {
        let channel = Int32(bytes[0] & 0x0F)
        switch bytes[0] & 0xF0 {
        case 0x90: _ = unsafe fluid_synth_noteon(synth, channel, Int32(bytes[1]), Int32(bytes[2]))
        case 0x80: _ = unsafe fluid_synth_noteoff(synth, channel, Int32(bytes[1]))
        case 0xB0: _ = unsafe fluid_synth_cc(synth, channel, Int32(bytes[1]), Int32(bytes[2]))
        case 0xC0: _ = unsafe fluid_synth_program_change(synth, channel, Int32(bytes[1]))
        default: break
        }
    }
}

/// Conversion from ticks to frames.
private struct TickClock {
    private let framesPerMinute = Sound.rate * 60
    private let ticksPerMinute: Int

    init(_ score: Score) { ticksPerMinute = score.recipe.tempo * score.recipe.metre.beatTicks }

    func frame(_ tick: Int) -> Int { tick * framesPerMinute / ticksPerMinute }
}
