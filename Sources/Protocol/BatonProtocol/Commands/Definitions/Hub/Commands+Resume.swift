extension Commands.Resume: HubRequest { package var request: Request { .hubResume } }
