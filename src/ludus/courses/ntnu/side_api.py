"""The side API of the JSON protocol: tokens and handles, over HTTPS."""

from __future__ import annotations

import getpass
import json
import logging
import os
from typing import Any
from urllib.parse import quote

from ludus.errors import LudusError
from ludus.protocols.oht.playing import client_api


class SideApi:
    """The methods of ActorClient that ask the side API. Tokens are never logged."""

    Error: type[LudusError]
    host: str
    api_port: str | int
    cert: str | os.PathLike[str]
    auth: str | None
    logger: logging.Logger

    def call_api(self, method: str, endpoint: str, data: Any = None) -> Any:
        """What the server answers to a request: get or put, an endpoint and JSON."""
        self.logger.debug("Calling %s %s", method, endpoint.partition("/")[0])
        try:
            return client_api.call(self.host, int(self.api_port), self.cert, self.auth, method, endpoint, data)
        except client_api.ApiRefused as refused:
            self.logger.error("%s", refused)
            raise self.Error(str(refused)) from None

    def request_reset_token(self, email: str | None = None) -> Any:
        """Asks for a new token; the server sends a temporary one to the e-mail address of the account."""
        email = input("Your e-mail address: ") if email is None else email
        answer = self.call_api("put", "reset_token", {"email": email})
        self.logger.info("%s", answer["message"])
        return answer

    def reset_token(self, temp_token: str | None = None) -> Any:
        """The server's answer with the new token in it, which is not shown or kept here."""
        temp_token = getpass.getpass("The temporary token of the e-mail: ") if temp_token is None else temp_token
        answer = self.call_api("get", f"reset_token/{quote(temp_token, safe='')}")
        self.logger.info("%s", answer["message"])
        return answer

    def get_profile(self) -> Any:
        """What the server knows about the account of the token."""
        answer = self.call_api("get", "profile")
        shown = {name: value for name, value in answer.items() if "token" not in name}
        self.logger.info("%s", json.dumps(shown, indent=4))
        return answer

    def update_handle(self, handle: str | None = None) -> Any:
        """Changes the nickname; an empty one lets the server make one up."""
        handle = input("The new handle (empty for a random one): ") if handle is None else handle
        answer = self.call_api("put", "handle", {"handle": handle})
        self.logger.info("%s", answer["message"])
        return answer
