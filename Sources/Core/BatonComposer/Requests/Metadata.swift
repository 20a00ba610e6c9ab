import BatonJSON

/// `metadata.json`: the plan of a piece, with the names that generation workers use, and without times.
package enum Metadata {
    package static func text(of score: Score, prompt: String, seed: UInt64, title: String, font: String) -> String {
        let recipe = score.recipe
        let json: JSON = [
            "prompt": .string(prompt), "seed": .string(String(seed)), "model_id": "baton-composer", "title": .string(title),
            "duration_seconds": .int(Int64(score.durationMs + 500) / 1000), "recipe": .string(recipe.text),
            "extras": .object(extras(score, font)),
            "plan": plan(score),
        ]
        return json.composerText + "\n"
    }

    private static func extras(_ score: Score, _ font: String) -> JSONObject {
        var extras: JSONObject = [
            "backend": "baton-composer", "placeholder": false, "soundfont": .string(font), "sample_rate": 44_100, "bit_depth": 16,
            "format": "flac",
        ]
        if let clip = score.clip {
            extras["clip"] = [
                "layer": .string(clip.layer.rawValue), "bars": .int(Int64(clip.bars)), "loop_ready": true,
                "loop_seconds": .double(Double(score.durationMs) / 1000), "tempo_bpm": .int(Int64(score.recipe.tempo)),
            ]
        }
        return extras
    }

    private static func plan(_ score: Score) -> JSON {
        let recipe = score.recipe
        return [
            "version": .string(Recipe.version), "tempo_bpm": .int(Int64(recipe.tempo)), "time_signature": .string(recipe.metre.rawValue),
            "key": .string(recipe.key.name), "total_bars": .int(Int64(score.bars)),
            "total_duration_seconds": .int(Int64(score.durationMs + 500) / 1000), "style": .string(recipe.style.rawValue),
            // A plan that is sent back yields the same music.
            "recipe": .string(recipe.text), "form": .string(recipe.form.rawValue), "energy": .int(Int64(recipe.energy)),
            "brightness": .int(Int64(recipe.brightness)),
            "theme": [
                "motif": .string(recipe.motif.code),
                "instrumentation": .array(score.parts.map { .string("\($0.role.name): \($0.instrument)") }),
            ],
            "sections": .array(
                score.sections.enumerated().map { number, section in
                    [
                        "section_id": .string("s\(number)"), "role": .string(section.role.rawValue), "bars": .int(Int64(section.bars)),
                        "energy": .string(energy(section.intensity)),
                    ]
                }),
        ]
    }

    private static func energy(_ intensity: Int) -> String { intensity < 40 ? "low" : intensity < 70 ? "medium" : "high" }
}
