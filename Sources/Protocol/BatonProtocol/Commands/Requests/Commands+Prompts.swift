import BatonCore

// How the hub carries out commands about what a person has typed to have music made.

extension Commands.PromptList: HubRequest {
    package var request: Request { .prompts(.list) }
}

extension Commands.PromptSet: HubRequest { package var request: Request { .prompts(.set(text, worker: worker)) } }
extension Commands.PromptPresetSet: HubRequest { package var request: Request { .prompts(.preset(name, text)) } }
extension Commands.PromptForget: HubRequest { package var request: Request { .prompts(.forget(text)) } }
