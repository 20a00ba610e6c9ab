import BatonCore
import Testing

/// A device that plays along, whose clocks are wrong: the clock that it measures by and the one of its sound card.
@Suite struct `A device whose clocks are up to 100 millionths off` {
    /// Plays from an unknown place, looks where it is ten times a second, and does what the rule says.
    private struct Device {
        /// Microseconds of its own clock.
        var nowUs: Microseconds = 0
        var positionUs: Double
        var clock = AudioClock()
        var meter = DifferenceMeter()
        var rule = StepRule()
        let clockError: Double
        let soundError: Double
        var random: SeededGenerator

        init(seed: UInt64) {
            random = SeededGenerator(seed)
            clockError = Double.random(in: -100e-6...100e-6, using: &random)
            soundError = Double.random(in: -100e-6...100e-6, using: &random)
            positionUs = Double.random(in: -2e6...2e6, using: &random)
            exchange()
        }

        /// The room plays in time with the hub's clock, which began with the device's.
        var roomUs: Double { Double(nowUs) * (1 + clockError) }
        var differenceUs: Double { positionUs - roomUs }

        mutating func exchange() {
            let tripUs = Double.random(in: 300...3000, using: &random)
            let errorUs = tripUs / 2 * Double.random(in: -1...1, using: &random)
            clock.take(offsetUs: roomUs - Double(nowUs) + errorUs, errorUs: tripUs / 2, atUs: nowUs)
        }

        mutating func look() {
            nowUs += 100_000
            positionUs += 100_000 * (1 + soundError) * Double(rule.speed) / 1000
            if nowUs % 10_000_000 == 0 { exchange() }
            guard let hubUs = clock.hubUs(atUs: nowUs) else { return }
            meter.take(positionUs + Double.random(in: -2000...2000, using: &random) - Double(hubUs), atUs: nowUs)
            switch rule.step(driftUs: meter.differenceUs, atUs: nowUs) {
            case .none: break
            case .speed: meter.moved(atUs: nowUs, settlesUs: 600_000)
            case .startAnew:
                positionUs = roomUs + Double.random(in: -30_000...30_000, using: &random)
                meter.moved(atUs: nowUs, settlesUs: 900_000)
            }
        }
    }

    @Test(arguments: 0..<100) func `is within 8 ms of the room after 20 s, and stays there without another start`(seed: UInt64) {
        var device = Device(seed: seed)
        var apart: [Double] = []
        while device.nowUs < 600_000_000 {
            device.look()
            if device.nowUs > 20_000_000 { apart.append(abs(device.differenceUs)) }
        }
        apart.sort()
        #expect(apart.last ?? 0 < 8000)
        #expect(apart[apart.count * 95 / 100] < 4000)
        #expect(device.rule.newStarts <= 1)
    }

    @Test(arguments: 0..<50) func `is back within 10 s of a jump of its own clock, with one start`(seed: UInt64) {
        var device = Device(seed: seed)
        while device.nowUs < 60_000_000 { device.look() }
        let before = device.rule.newStarts
        // The sound card stood still, as when a machine is put to sleep for a moment.
        device.positionUs -= 3_000_000
        let jumpedUs = device.nowUs
        while device.nowUs < jumpedUs + 10_000_000 { device.look() }
        #expect(device.rule.newStarts == before + 1)
        for _ in 0..<600 {
            device.look()
            #expect(abs(device.differenceUs) < 8000)
        }
        #expect(device.rule.newStarts == before + 1)
    }
}
