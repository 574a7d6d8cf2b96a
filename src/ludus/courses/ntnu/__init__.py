"""The clients of NTNU's IT-3105 and its online Hex tournament, with the course's own names, arguments and behaviour.

    from ludus.courses.ntnu import BasicClientActorAbs    # in the place of: from BasicClientActorAbs import …
    from ludus.courses.ntnu import BasicClientActor       # 2020 and 2021, the text protocol
    from ludus.courses.ntnu import ActorClient            # 2022 to 2024, the JSON protocol

and the other way round: `make_actor(superclass, agent="zoo:hex7")` is a subclass of the course's own class, or of one
of these, whose handlers are answered by one of our agents.
"""

from ludus.courses.ntnu.actor_client import ActorClient
from ludus.courses.ntnu.basic_client_actor import BasicClientActor, BasicClientActorAbs
from ludus.courses.ntnu.ludus_actor import LudusActor, make_actor
from ludus.protocols.oht.playing.player import HexPlayer

__all__ = ["ActorClient", "BasicClientActor", "BasicClientActorAbs", "HexPlayer", "LudusActor", "make_actor"]
