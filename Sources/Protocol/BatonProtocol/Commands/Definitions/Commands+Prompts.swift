import BatonCore

/// Commands about what a person has typed to have music made.
extension Commands {
    /// Keeps a line under a name, or removes it.
    public struct PromptPresetSet: HubRequest {
        public static let kind = RequestKind.genPreset
        public var name: String
        /// `nil` removes it.
        public var text: String?

        public init(_ name: String, _ text: String?) {
            self.name = name
            self.text = text
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("name", p.personalName("name", value?.name)),
                try p.text("text", value?.text, bytes: 1...PromptBounds.lineBytes))
        }

        package var request: Request { .prompts(.preset(name, text)) }
    }

    /// Forgets an earlier prompt, or all of them.
    public struct PromptForget: HubRequest {
        public static let kind = RequestKind.genForget
        /// `nil` means all of them.
        public var text: String?

        public init(_ text: String? = nil) { self.text = text }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.text("text", value?.text, bytes: 1...PromptBounds.lineBytes))
        }

        package var request: Request { .prompts(.forget(text)) }
    }
}

extension Commands.PromptList: HubRequest {
    public typealias Answer = PromptShelf
    package var request: Request { .prompts(.list) }
}
extension Commands.PromptSet: HubRequest { package var request: Request { .prompts(.set(text, worker: worker)) } }
