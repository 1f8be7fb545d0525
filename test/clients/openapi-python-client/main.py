"""Does each line of work by the client that openapi-python-client makes, and prints how many rows it read."""

import inspect
import json
import re
import sys
from importlib import import_module

from api import Client
from api.models import CompositeQueryRequest
from api.types import UNSET

LISTS = {
    "listUtxos": ("primary_network", "utxos"),
    "listVertices": ("primary_network", "vertices"),
    "listIcmMessages": ("interchain_messages", "messages"),
    "listInternalTransactions": ("evm_chains", "transactions"),
    "getSubnetMetric": ("metrics", "results"),
    "compositeQuery": ("metrics", "addresses"),
}
GROUPS = {
    "getTransaction": "primary_network",
    "getIcmMessage": "interchain_messages",
    "getChain": "evm_chains",
    "listChains": "evm_chains",
    "reindexNft": "nf_ts",
}
client = Client(base_url=sys.argv[1], raise_on_unexpected_status=True)


def call(group, operation, values, **more):
    name = re.sub("([A-Z]|(?<=v)[0-9])", r"_\1", operation).lower()
    function = import_module(f"api.api.{group}.{name}").sync_detailed
    # A text of a closed set is an enum.
    kinds = [parameter.annotation for parameter in inspect.signature(function).parameters.values()]
    reply = function(*(kind(value) for kind, value in zip(kinds, values)), client=client, **more)
    if reply.status_code not in (200, 201):
        raise RuntimeError(f"{operation}: {reply.status_code} {reply.content!r}")
    return reply.parsed


def walk(operation, size, *values):
    """Asks for pages until there is no token, and counts their rows."""
    group, field = LISTS[operation]
    more = {"include_spent": True} if operation == "listUtxos" else {}
    if operation == "compositeQuery":
        more, values = {"body": CompositeQueryRequest.from_dict(json.loads(values[0]))}, ()
    rows, token = 0, UNSET
    while True:
        page = call(group, operation, values, page_size=int(size), page_token=token, **more)
        rows += len(getattr(page, field))
        token = page.next_page_token
        if token is UNSET:
            return rows


def do(operation, *words):
    if operation in LISTS:
        return walk(operation, *words)
    reply = call(GROUPS.get(operation, "health"), operation, words)
    return len(reply.chains) if operation == "listChains" else 1


for line in sys.stdin:
    print(do(*line.split()))
