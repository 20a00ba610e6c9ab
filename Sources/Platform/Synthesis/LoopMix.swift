import BatonComposer

/// Mixes loops that sound together into one loop.
package enum LoopMix {
    /// The mix, at the rate that all loops share. Each loop is in memory only while it is added.
    package static func sound(_ loops: [FLACReader]) throws(SynthesisFault) -> Sound {
        var heads: [FLACReader.Head] = []
        for loop in loops { heads.append(try loop.head()) }
        guard let rate = heads.first?.rate, heads.allSatisfy({ $0.rate == rate }) else {
            throw SynthesisFault("The loops of a scene have different rates: \(heads.map { "\($0.rate)" }.joined(separator: ", ")).")
        }
        guard let plan = LoopPlan(heads.map(\.frames), most: LoopPlan.longestS * rate) else {
            throw SynthesisFault("A loop of a scene lasts \(LoopPlan.longestS) seconds at most.")
        }
        let whole = Sound(frames: plan.frames, rate: rate)
        for (number, loop) in loops.enumerated() {
            let sound = try loop.read(heads[number])
            for round in 0..<plan.counts[number] {
                whole.add(sound, from: plan.start(of: round, of: number), to: plan.start(of: round + 1, of: number))
            }
        }
        return whole
    }
}

extension Sound {
    /// Adds a loop. If a round is a frame longer than the loop, its last frame repeats the loop's first one.
    fileprivate func add(_ loop: Sound, from first: Int, to end: Int) {
        for frame in first..<end {
            let source = (frame - first) % loop.frames
            unsafe samples[frame * 2] += loop.samples[source * 2]
            unsafe samples[frame * 2 + 1] += loop.samples[source * 2 + 1]
        }
    }
}
