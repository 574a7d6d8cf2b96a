"""The course's command line for the side API: `python -m ludus.courses.ntnu [--host …] get-profile`, and three more."""

from __future__ import annotations

import argparse
import getpass
import sys
from pathlib import Path
from typing import Any

from ludus.courses.ntnu.actor_client import ActorClient
from ludus.errors import LudusError
from ludus.protocols.oht.playing.link import sentences
from ludus.text import never_fail_to_print


def read(arguments: list[str]) -> dict[str, Any]:
    """The options, as the course's own program has them; what is not given is not among them."""
    missing = argparse.SUPPRESS
    parser = argparse.ArgumentParser("python -m ludus.courses.ntnu", argument_default=missing, description=__doc__)
    parser.add_argument("--host", help="the server; IT3105_HOST or this machine, if not given")
    parser.add_argument("--api-port", help="its port; IT3105_API_PORT or 32000, if not given")
    parser.add_argument("--cert", help="its certificate; IT3105_CERT, if not given")
    parser.add_argument("--echo", action="store_true", help="show what is sent, but never tokens")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    token = "the API token; better in the environment as IT3105_AUTH, where other users cannot see it"
    for name, flags, about in (
        ("request-reset-token", {"--email": "of the account"}, "have a temporary token sent by e-mail"),
        (
            "reset-token",
            {"--temp-token": "from the e-mail"},
            "print a new API token, in exchange for the temporary one",
        ),
        ("get-profile", {"--auth": token}, "what the server knows about you"),
        ("update-handle", {"--auth": token, "--handle": 'the new one; "" for a random one'}, "change the nickname"),
    ):
        command = commands.add_parser(name, help=about, description=about, argument_default=missing)
        command.set_defaults(method=name.replace("-", "_"))
        for flag, text in flags.items():
            command.add_argument(flag, help=text)
    return vars(parser.parse_args(arguments))


def main(arguments: list[str] | None = None) -> int:
    """Runs one command. Returns the exit code."""
    options = read(sys.argv[1:] if arguments is None else arguments)
    method = options.pop("method")
    own = {name: options.pop(name) for name in ("email", "temp_token", "handle") if name in options}
    try:
        client = ActorClient(**options)
        if client.auth is None and method in ("get_profile", "update_handle"):
            client.auth = getpass.getpass("API token: ")
        with sentences(f"{client.host}:{client.api_port}", Path(client.cert)):
            answer = getattr(client, method)(**own)
        if method == "reset_token":
            print(answer["token"])  # what the command was asked for, alone on standard output
    except ActorClient.Error:
        return 1  # the log has said why
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    except EOFError:
        print("\nludus.courses.ntnu: the input ended where an answer was needed", file=sys.stderr)
        return 1
    except (LudusError, OSError) as error:
        print(f"ludus.courses.ntnu: {error}", file=sys.stderr)
        return 1
    except KeyError as error:
        print(f"ludus.courses.ntnu: the server's answer has no {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    never_fail_to_print(sys.stdout, sys.stderr)
    sys.exit(main())
