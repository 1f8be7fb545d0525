"""Does each line of work by the client that openapi-python-client makes, and prints how many rows it read."""

import inspect
import json
import re
import sys
from importlib import import_module
from importlib.util import find_spec

from api import Client
from api.models import AddressesRequest, CompositeQueryRequest
from api.types import UNSET

GROUPS = ["primary_network", "evm_chains", "interchain_messages", "metrics", "nf_ts", "health"]
client = Client(base_url=sys.argv[1], raise_on_unexpected_status=True)


def snake(name):
    """As the generator does it, for which digits are a word."""
    return "_".join(re.sub("([A-Z]?[a-z]+)", r" \1 ", name).split()).lower()


def call(task, **paging):
    """What the function of the operation's name gives."""
    operation = task["operation"]
    modules = (f"api.api.{group}.{snake(operation)}" for group in GROUPS)
    function = import_module(next(filter(find_spec, modules))).sync_detailed
    # A text of a closed set is an enum.
    kinds = [parameter.annotation for parameter in inspect.signature(function).parameters.values()]
    values = [kind(value) for kind, (_, value) in zip(kinds, task["path"])]
    more = {snake(name): value for name, value in task["query"].items()} | paging
    if "body" in task:
        kind = CompositeQueryRequest if operation == "compositeQuery" else AddressesRequest
        more["body"] = kind.from_dict(task["body"])
    reply = function(*values, client=client, **more)
    if reply.status_code not in (200, 201):
        raise RuntimeError(f"{operation}: {reply.status_code} {reply.content!r}")
    return reply.parsed


def do(task):
    """Asks for pages until there is no token, and counts their rows."""
    if "field" not in task:
        call(task)
        return 1
    rows, paging = 0, {"page_size": task["pageSize"]} if "pageSize" in task else {}
    while True:
        page = call(task, **paging)
        rows += len(getattr(page, snake(task["field"])))
        paging["page_token"] = getattr(page, "next_page_token", UNSET)
        if paging["page_token"] is UNSET:
            return rows


for line in sys.stdin:
    print(do(json.loads(line)))
