/// The recipe that results from a request.
extension ComposerRequest {
    /// The score to play: a piece, or a loop based on the plan of one.
    package var score: Score {
        get throws(ComposerFault) {
            guard let clip else { return Composer.score(plan) }
            let recipe = plan
            guard clip.durationMs(recipe) <= Clip.longestMs else {
                let most = Int(Clip.longestMs.seconds)
                throw ComposerFault("\(clip.bars) bars at \(recipe.tempo) beats a minute last longer than \(most) seconds: ask for fewer.")
            }
            return Composer.score(clip, of: recipe)
        }
    }

    /// The plan, by rules of decreasing priority: a recipe is made again unchanged, a variation keeps its plan, a motif is continued, and
    /// otherwise the prompt decides.
    package var plan: Recipe {
        if let recipe { return recipe.steered(steer) }
        let seed = seed ?? Prompt.seed(of: prompt)
        if let vary { return vary.recipe.varied(by: vary.amount, seed: seed).steered(steer) }
        switch motif {
        case .following(let earlier):
            return earlier.continued(seed: seed, seconds: namesSeconds ? seconds : earlier.seconds).steered(steer)
        case .tones(let motif):
            return Prompt.recipe(prompt, seed: seed, seconds: seconds).with(motif).steered(steer)
        case nil:
            return Prompt.recipe(prompt, seed: seed, seconds: seconds).steered(steer)
        }
    }
}
