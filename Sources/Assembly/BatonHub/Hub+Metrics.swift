/// The hub's own figures for monitoring. Most come from existing state; only commands are counted for them.
import BatonKernel
package import BatonSeams

extension Hub {
    package func countCommands() { commands.countCommands() }

    package var metricFamilies: [MetricFamily] {
        commands.metricFamilies + kernel.metricFamilies + features.all.flatMap(\.metricFamilies)
    }
}
