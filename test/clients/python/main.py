"""Does each line of work by the client that openapi-generator makes, and prints how many rows it read."""

import json
import re
import sys

import api

GROUPS = [api.PrimaryNetworkApi, api.EVMChainsApi, api.InterchainMessagesApi, api.MetricsApi, api.NFTsApi, api.HealthApi]


def snake(name):
    return re.sub("([A-Z])", r"_\1", name).lower()


def call(client, task, **paging):
    """What the method of the operation's name gives."""
    name = snake(task["operation"])
    method = next(getattr(group(client), name) for group in GROUPS if hasattr(group, name))
    values = [value for _, value in task["path"]]
    if "body" in task:
        kind = api.CompositeQueryRequest if name == "composite_query" else api.AddressesRequest
        values.append(kind.from_json(json.dumps(task["body"])))
    query = {snake(name): value for name, value in task["query"].items()}
    return method(*values, **query, **paging)


def do(client, task):
    """Asks for pages until there is no token, and counts their rows."""
    if "field" not in task:
        call(client, task)
        return 1
    rows, paging = 0, {"page_size": task["pageSize"]} if "pageSize" in task else {}
    while True:
        page = call(client, task, **paging)
        rows += len(getattr(page, snake(task["field"])))
        paging["page_token"] = getattr(page, "next_page_token", None)
        if paging["page_token"] is None:
            return rows


with api.ApiClient(api.Configuration(host=sys.argv[1])) as client:
    for line in sys.stdin:
        print(do(client, json.loads(line)))
