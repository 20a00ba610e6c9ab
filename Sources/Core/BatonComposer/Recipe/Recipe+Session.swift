/// The recipes of the clips of a session, which share its tempo, key and metre.
extension Recipe {
    /// The plan of a scene. The first scene uses the session's own; the others get their own chords and patterns.
    package func scene(_ number: Int) -> Recipe {
        var scene = self
        if number > 0 { scene.seed = TopicRandom.mix(seed, UInt64(number)) }
        return scene
    }

    /// The recipe with the instruments that these words name for a layer. The others stay.
    package func played(by words: String, in layer: Clip.Layer) -> Recipe {
        let wished = Prompt.recipe(words, seed: seed, seconds: seconds)
        var played = self
        for role in layer.roles { if let program = wished[role] { played.programs[role.rawValue] = program } }
        return played
    }
}

/// Sessions whose clips come from another worker.
extension Recipe {
    /// This recipe with the tempo, key and metre of that worker's plan, as far as a recipe can express them.
    package func planned(tempo: Int?, key: String?, metre: String?) -> Recipe {
        var planned = self
        if let tempo, Self.tempos.contains(tempo) { planned.tempo = tempo }
        if let key = key.flatMap({ Key(code: Substring($0.split(separator: " ").joined(separator: "-"))) }) { planned.key = key }
        if let metre = metre.flatMap(Metre.init(rawValue:)) { planned.metre = metre }
        return planned.fitted(tempoWithin: 0)
    }
}
