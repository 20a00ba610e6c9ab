/// The hub's own figures for monitoring. Most come from existing state; only commands are counted for them.
import BatonKernel
package import BatonSeams

extension Hub {
    /// Starts counting commands. A hub without monitoring saves the time.
    package func countCommands() { commands.figures = CommandFigures() }

    package var metricFamilies: [MetricFamily] {
        (commands.figures?.families ?? []) + kernel.metricFamilies(commandsInWork: commands.inWork)
            + features.all.flatMap(\.metricFamilies)
    }
}
