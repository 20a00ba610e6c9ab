import BatonComposer
import BatonCore
import BatonJSON

/// A request for a piece. Errors are reported in the format of workers.
struct ServedRequest {
    var generation: GenerationRequest
    var session: String?

    /// An error with the member that caused it.
    struct InvalidMember: Error {
        var member: String
        var sentence: String
    }

    static let limits = {
        var limits = JSONLimits()
        limits.depth = 8
        limits.stringBytes = 8 << 10
        limits.largeNumbers = .text
        return limits
    }()

    /// Possible durations. A longer request is shortened instead of refused, because clients read the length from the
    /// file.
    private static let seconds = 10...180
    private static let motifSeconds = 16

    init(_ json: JSON) throws(InvalidMember) {
        guard let prompt = json["prompt"]?.string, 1...PromptBounds.promptLength ~= prompt.unicodeScalars.count else {
            throw InvalidMember(member: "prompt", sentence: "String should have 1 to \(PromptBounds.promptLength) characters")
        }
        let asked = try Self.seconds(json["duration_seconds"])
        let mode = json["mode"]?.string ?? "full_track"
        guard ["full_track", "motif"].contains(mode) else {
            throw InvalidMember(member: "mode", sentence: "Input should be 'full_track' or 'motif'")
        }
        generation = GenerationRequest(
            prompt: prompt,
            durationS: mode == "motif" ? Self.motifSeconds : max(Self.seconds.lowerBound, min(asked, Self.seconds.upperBound)),
            seed: try Self.seed(json["seed"]), mode: mode == "motif" ? .motif : .track)
        // The composer follows its own plan exactly and ignores the plan of another composer.
        generation.recipe = json["plan"]?["recipe"]?.string.flatMap { try? Recipe($0) }?.text
        session = json["session_id"]?.string
    }

    /// A clip for a session, based on the recipe of its plan.
    init(clip json: JSON, of id: String, on recipe: Recipe) throws(InvalidMember) {
        guard let layer = json["layer"]?.string.flatMap(Clip.Layer.init), let own = PromptLine.Layer(rawValue: layer.rawValue) else {
            throw InvalidMember(member: "layer", sentence: "Input should be one of \(Clip.Layer.allCases.map(\.rawValue))")
        }
        let bars = try Self.number(json["bars"], of: "bars", in: Clip.bars) ?? Clip.usualBars
        let scene = try Self.number(json["scene_index"], of: "scene_index", in: 0...ClipSession.sceneCount - 1) ?? 0
        let wanted = json["generation"]
        let prompt = json["prompt"]?.string ?? wanted?["prompt"]?.string ?? layer.rawValue
        guard 1...PromptBounds.promptLength ~= prompt.unicodeScalars.count else {
            throw InvalidMember(member: "prompt", sentence: "String should have 1 to \(PromptBounds.promptLength) characters")
        }
        generation = GenerationRequest(
            prompt: prompt, durationS: recipe.seconds, seed: try Self.seed(wanted?["seed"]), mode: .clip)
        generation.recipe = recipe.scene(scene).played(by: prompt, in: layer).text
        generation.clip = ClipWish(own, scene: scene, bars: bars)
        session = id
    }

    private static func number(_ json: JSON?, of member: String, in range: ClosedRange<Int>) throws(InvalidMember) -> Int? {
        guard let json, !json.isNull else { return nil }
        guard let number = json.int.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw InvalidMember(member: member, sentence: "Input should be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func seconds(_ json: JSON?) throws(InvalidMember) -> Int {
        guard let json, !json.isNull else { return 120 }
        guard let number = json.int, 1...300 ~= number else {
            throw InvalidMember(member: "duration_seconds", sentence: "Input should be a whole number from 1 to 300")
        }
        return Int(number)
    }

    /// The seed. A number beyond 2^53 is read as text to keep all digits.
    private static func seed(_ json: JSON?) throws(InvalidMember) -> String {
        guard let json, !json.isNull else { return String(UInt64.random(in: .min ... .max)) }
        guard let seed = json.string.flatMap({ UInt64($0) }) ?? json.int.flatMap({ UInt64(exactly: $0) }) else {
            throw InvalidMember(member: "seed", sentence: "Input should be a whole number of 64 bits")
        }
        return String(seed)
    }
}
