/// The recipes of the clips of a session: all have its tempo, key and metre.
extension Recipe {
    /// The plan of a scene. The first is the session's own; the others have chords and patterns of their own.
    package func scene(_ number: Int) -> Recipe {
        var scene = self
        if number > 0 { scene.seed = Dice.mix(seed, UInt64(number)) }
        return scene
    }

    /// The players of a layer as these words wish them. What the words leave open stays as it is.
    package func played(by words: String, in layer: Clip.Layer) -> Recipe {
        let wished = Prompt.recipe(words, seed: seed, seconds: seconds)
        var played = self
        for role in layer.roles { if let program = wished[role] { played.programs[role.rawValue] = program } }
        return played
    }
}

/// Sessions whose clips another composer makes.
extension Recipe {
    /// This recipe with the tempo, key and metre of that one's plan, as far as a recipe can have them.
    package func planned(tempo: Int?, key: String?, metre: String?) -> Recipe {
        var planned = self
        if let tempo, Self.tempos.contains(tempo) { planned.tempo = tempo }
        if let key = key.flatMap({ Key(code: Substring($0.split(separator: " ").joined(separator: "-"))) }) { planned.key = key }
        if let metre = metre.flatMap(Metre.init(rawValue:)) { planned.metre = metre }
        return planned.fitted(tempoWithin: 0)
    }
}
