"""asyncapi.json: the protocol as AsyncAPI 3 describes it, for programs that draw, check or generate from that.

It is said from the hub's side: the hub receives what clients send. Payloads refer to the files of `schema/v1`, so the
document stands beside that folder. Each command is a message of its own, with the answer to it as its reply.
"""

from tools.definitions import DATE, EDITION, json_of
from tools.schemas import written

FORMAT = "application/schema+json;version=draft-2020-12"
CHANNEL = "#/channels/baton"


def payload(schema):
    return {"schemaFormat": FORMAT, "schema": schema}


def file(path):
    return {"$ref": f"./schema/v1/{path}.json"}


def message(name, about, schema, examples=()):
    shown = [{"name": each, "payload": json_of(f"examples/{each}.json")} for each in examples]
    return {"name": name, "summary": about, "contentType": "application/json", "payload": payload(schema), **({"examples": shown} if shown else {})}


def of_type(definitions, side):
    """Messages of one side but commands and their answers, by the name that the document gives them."""
    for entry in definitions.entries("messages"):
        if entry["from"] in (side, "both") and entry["name"] not in ("cmd", "res"):
            yield f"{side}.{entry['name']}", message(entry["name"], entry["about"], file(f"{side}/{entry['name']}"))


def of_command(command):
    """The message that sends a command, and the one that answers it."""
    name, result = command["name"], command["result"]
    asks = [example for example in command["examples"] if example.startswith("client-")]
    found = [example for example in command["examples"] if example.startswith("hub-")]
    sent = {"allOf": [file("client/cmd"), {"properties": {"m": {"const": name}}}]}
    yield f"cmd.{name}", message("cmd", command["about"], sent, asks)
    answer = file("hub/res")
    if result and result["member"] == "d":
        answer = {"allOf": [answer, {"properties": {"d": {"$ref": f"./schema/v1/{result['schema']}"}}}]}
    about = result["about"] if result else "The outcome, or why the command was refused."
    yield f"res.{name}", message("res", about, answer, found)


def refer(messages):
    return [{"$ref": f"{CHANNEL}/messages/{name}"} for name in messages]


def operations(definitions, received, sent):
    channel = {"$ref": CHANNEL}
    found = {name.replace(".", "-"): {"action": "receive", "channel": channel, "messages": refer([name])} for name in received}
    found |= {name.replace(".", "-"): {"action": "send", "channel": channel, "messages": refer([name])} for name in sent}
    for command in definitions.commands.values():
        name = command["name"]
        found[name] = {
            "action": "receive", "channel": channel, "summary": command["about"],
            "description": f"Class {command['class']}, from the role {command['role']} on.",
            "messages": refer([f"cmd.{name}"]), "reply": {"channel": channel, "messages": refer([f"res.{name}"])},
        }
    return found


def document(definitions):
    received, sent = dict(of_type(definitions, "client")), dict(of_type(definitions, "hub"))
    commands = {name: each for command in definitions.commands.values() for name, each in of_command(command)}
    messages = {**received, **sent, **commands}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "The Baton protocol", "version": EDITION,
            "description": f"How a remote controls a hub: one WebSocket, JSON text, one message a frame. Core {EDITION} of {DATE}, and all profiles. "
            "The text is in core/ and profiles/; this document is generated from its definitions.",
            "license": {"name": "Community Specification License 1.0", "url": "https://github.com/CommunitySpecification/1.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "loopback": {"host": "127.0.0.1:9442", "protocol": "ws", "description": "Programs on the hub's own machine."},
            "network": {
                "host": "{host}:9443", "protocol": "wss", "description": "Paired devices, over TLS 1.3. The client checks the hub's key, not a name.",
                "variables": {"host": {"description": "Address or name of the hub's machine."}},
            },
        },
        "channels": {
            "baton": {
                "address": "/baton", "description": "WebSocket with the subprotocol baton.v1, without compression.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
                "bindings": {"ws": {"method": "GET", "headers": {
                    "type": "object", "properties": {"Sec-WebSocket-Protocol": {"const": "baton.v1"}}, "required": ["Sec-WebSocket-Protocol"]}}},
            },
        },
        "operations": operations(definitions, received, sent),
        "components": {"messages": messages},
    }


def outputs(definitions):
    """Path below Protocol/ -> text."""
    return {"asyncapi.json": written(document(definitions))}
