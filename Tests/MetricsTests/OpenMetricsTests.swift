import BatonSeams
import Testing

@testable import BatonAdmin

@Suite struct `Figures as text` {
    @Test func `a family says its type, its unit and what it is, and ends with one line of end`() {
        let text = MetricsText(.openMetrics).text(
            of: [.counter("log_bytes", help: "What was written.", 12), .gauge("load", help: "How much there is to do.", 0.25)])
        #expect(
            text == """
                # TYPE baton_log_bytes counter
                # UNIT baton_log_bytes bytes
                # HELP baton_log_bytes What was written.
                baton_log_bytes_total 12
                # TYPE baton_load gauge
                # HELP baton_load How much there is to do.
                baton_load 0.25
                # EOF

                """)
    }

    @Test func `before OpenMetrics a counter is named as its samples are`() {
        let text = MetricsText(.init(accept: "*/*")).text(of: [.counter("commands", help: "Answered.", 1)])
        #expect(text == "# TYPE baton_commands_total counter\n# HELP baton_commands_total Answered.\nbaton_commands_total 1\n")
    }

    @Test func `samples stand in the order of their labels, whatever order they came in`() {
        let samples = ["pause", "next", "play"].map { MetricFamily.Sample(1, [.init("kind", $0), .init("outcome", "applied")]) }
        let text = MetricsText(.openMetrics, prefix: "x").text(of: [MetricFamily("commands", help: "Answered.", .counter(samples))])
        #expect(
            text.split(separator: "\n").filter { !$0.hasPrefix("#") } == [
                #"x_commands_total{kind="next",outcome="applied"} 1"#, #"x_commands_total{kind="pause",outcome="applied"} 1"#,
                #"x_commands_total{kind="play",outcome="applied"} 1"#,
            ])
    }

    @Test func `a label cannot end its line`() {
        let sample = MetricFamily.Sample(3, [.init("state", "a\"b\\c\nd")])
        let text = MetricsText(.openMetrics, prefix: "x").text(of: [MetricFamily("things", help: "Two\nlines.", .gauge([sample]))])
        #expect(text.contains(#"x_things{state="a\"b\\c\nd"} 3"# + "\n"))
        #expect(text.contains(#"# HELP x_things Two\nlines."# + "\n"))
    }

    @Test func `buckets of a histogram hold those of the ones before, and the last one all`() {
        var histogram = Histogram(bounds: [0.001, 0.01])
        for seconds in [0.0005, 0.001, 0.005, 2] { histogram.add(seconds) }
        let text = MetricsText(.openMetrics, prefix: "x").text(of: [MetricFamily("wait_seconds", help: "Waits.", .histogram(histogram))])
        #expect(
            text.split(separator: "\n").filter { !$0.hasPrefix("#") } == [
                #"x_wait_seconds_bucket{le="0.001"} 2"#, #"x_wait_seconds_bucket{le="0.01"} 3"#, #"x_wait_seconds_bucket{le="+Inf"} 4"#,
                "x_wait_seconds_sum 2.0065", "x_wait_seconds_count 4",
            ])
    }
}
