"""Does each line of work by the client that openapi-generator makes, and prints how many rows it read."""

import re
import sys

import api

FIELDS = {
    "listUtxos": "utxos",
    "listVertices": "vertices",
    "listIcmMessages": "messages",
    "listInternalTransactions": "transactions",
    "getSubnetMetric": "results",
    "compositeQuery": "addresses",
}
GROUPS = [api.PrimaryNetworkApi, api.EVMChainsApi, api.InterchainMessagesApi, api.MetricsApi, api.NFTsApi, api.HealthApi]


def method(client, operation):
    name = re.sub("([A-Z])", r"_\1", operation).lower()
    return next(getattr(group(client), name) for group in GROUPS if hasattr(group, name))


def walk(call, field, size, *values, **more):
    """Asks for pages until there is no token, and counts their rows."""
    rows, token = 0, None
    while True:
        page = call(*values, page_size=int(size), page_token=token, **more)
        rows += len(getattr(page, field))
        token = page.next_page_token
        if token is None:
            return rows


def do(client, operation, *words):
    call, field = method(client, operation), FIELDS.get(operation)
    if operation == "listUtxos":
        return walk(call, field, *words, include_spent=True)
    if operation == "compositeQuery":
        return walk(call, field, words[0], api.CompositeQueryRequest.from_json(words[1]))
    if field:
        return walk(call, field, *words)
    reply = call(*words)
    return len(reply.chains) if operation == "listChains" else 1


with api.ApiClient(api.Configuration(host=sys.argv[1])) as client:
    for line in sys.stdin:
        print(do(client, *line.split()))
