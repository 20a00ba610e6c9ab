import BatonCore
import BatonSeams
import Glibc

/// An option of libmpv. The options are tables, because each line is a decision with a reason.
struct PlayerOption: Equatable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    static func all(for audio: AudioChoice, volume: Double, speed: Double, paused: Bool) -> [PlayerOption] {
        soundOnly + bare + guarded + steady + output(audio) + [
            PlayerOption("volume", "\(volume)"), PlayerOption("speed", "\(speed)"), PlayerOption("pause", paused ? "yes" : "no"),
        ]
    }

    /// Raises quiet speech and limits peaks: a gain that follows the loudness of about a second, up to 26 dB, and a limit at -1 dB. Sound
    /// quieter than any speech is not raised.
    private static let voice = "dynaudnorm=f=150:g=5:p=0.7:m=20:r=0.12:t=0.003,alimiter=limit=0.89:level=0"

    /// The mean of both channels on both; for more channels, their usual mix. A mono recording stays as loud as before. Two channels stay
    /// two, with the same sample format, so that libmpv switches in the middle of a track without a gap.
    private static let mono: String = {
        let all = "FL+FR+1.414214*FC+BL+BR+SL+SR"
        return "pan=stereo|FL<\(all)|FR<\(all)"
    }()

    static let bendsPitch = PlayerOption("audio-pitch-correction", "no")

    /// A speed without pitch correction needs a resampler. libmpv inserts it at the first speed that is not 1, which moves the sound by
    /// tens of milliseconds. So a difference of a millionth inserts it from the beginning.
    static func speed(permille: Int, keepsPitch: Bool) -> Double {
        keepsPitch || permille != 1000 ? Double(permille) / 1000 : 1.000001
    }

    /// FFmpeg filters for these settings.
    static func filters(for sound: SoundFilters) -> [String] {
        [sound.raisesVoice ? voice : nil, sound.isMono ? mono : nil].compactMap(\.self)
    }

    /// A chain of FFmpeg filters in the syntax of libmpv's option `af`.
    static func text(of filters: [String]) -> String { filters.map { "lavfi=[\($0)]" }.joined(separator: ",") }

    /// Disables video and subtitles.
    private static let soundOnly = [
        PlayerOption("vo", "null"),
        PlayerOption("vid", "no"),
        PlayerOption("sid", "no"),
        PlayerOption("audio-display", "no"),
        PlayerOption("force-window", "no"),
    ]

    /// Disables the features of a desktop player: terminal, keys, scripts, own files. The built-in scripts are disabled by name, since
    /// `load-scripts` does not cover them and each is a thread.
    private static let bare = [
        PlayerOption("idle", "yes"),
        PlayerOption("terminal", "no"),
        PlayerOption("config", "no"),
        PlayerOption("load-scripts", "no"),
        PlayerOption("load-auto-profiles", "no"),
        PlayerOption("load-osd-console", "no"),
        PlayerOption("load-stats-overlay", "no"),
        PlayerOption("osc", "no"),
        PlayerOption("osd-level", "0"),
        PlayerOption("ytdl", "no"),
        PlayerOption("input-default-bindings", "no"),
        PlayerOption("input-builtin-bindings", "no"),
        PlayerOption("input-media-keys", "no"),
        PlayerOption("resume-playback", "no"),
        PlayerOption("save-position-on-quit", "no"),
    ]

    /// Allows only resources that the hub resolved. One demuxer is allowed, so that playlists, cue sheets, archives and folders are refused
    /// instead of followed, and a file may not refer to another file or host.
    private static let guarded =
        Joint.usual + [
            PlayerOption("demuxer-lavf-o", "protocol_whitelist=\(Playable.Kind.file.protocols)"),
            PlayerOption("load-unsafe-playlists", "no"),
            PlayerOption("autoload-files", "no"),
            PlayerOption("audio-file-auto", "no"),
            PlayerOption("cover-art-auto", "no"),
            PlayerOption("sub-auto", "no"),
            PlayerOption("user-agent", "baton/0.1"),
        ]

    /// Gapless playback, with the memory limits of an audio player.
    private static let steady = [
        PlayerOption("gapless-audio", "weak"),
        PlayerOption("prefetch-playlist", "yes"),
        // A file that is kept open at its end during a handover must not pause the room.
        PlayerOption("keep-open-pause", "no"),
        PlayerOption("demuxer-max-bytes", "33554432"),
        PlayerOption("demuxer-max-back-bytes", "8388608"),
        PlayerOption("network-timeout", "15"),
        PlayerOption("volume-max", "100"),
    ]

    private static func output(_ audio: AudioChoice) -> [PlayerOption] {
        // Without a device the player continues in silence, and reports that, until a device returns.
        let common = [PlayerOption("audio-client-name", "Baton"), PlayerOption("audio-fallback-to-null", "yes")]
        switch audio {
        case .auto: return common
        case .null: return common + [PlayerOption("ao", "null")]
        case .device(let name): return common + [PlayerOption("audio-device", name)]
        case .pcm(let file):
            // The output is opened again whenever the format changes; existing samples stay.
            return common + [
                PlayerOption("ao", "pcm"), PlayerOption("ao-pcm-file", file), PlayerOption("ao-pcm-waveheader", "no"),
                PlayerOption("ao-pcm-append", "yes"), PlayerOption("audio-format", "s16"),
            ]
        }
    }

    static func options(for levelling: Levelling) -> [PlayerOption] {
        [
            PlayerOption("replaygain", levelling.measure == .none ? "no" : levelling.measure.rawValue),
            PlayerOption("replaygain-preamp", "\(levelling.preampDb)"),
        ]
    }

    /// libmpv's volume is a percentage whose cube is the amplitude.
    static func volume(gain: Double) -> Double { 100 * cbrt(min(max(gain, 0), 1)) }
}
