/// Creates faults for parameters that do not fit together.
package struct ParameterFaults {
    package init() {}

    func fault(_ name: String, _ sentence: String) -> ProtocolFault { ProtocolFault(.badRequest, sentence, at: "/p/\(name)") }
}
