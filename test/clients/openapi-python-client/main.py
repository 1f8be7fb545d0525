"""Reads every list to its end, and every single thing, by the client that openapi-python-client makes."""

import sys
from importlib import import_module

from api import Client
from api.models import GetSubnetMetricMetric, GetTransactionNetwork, ListUtxosNetwork, ListVerticesNetwork
from api.types import UNSET

client = Client(base_url=sys.argv[1], raise_on_unexpected_status=True)


def call(operation, *path, **query):
    reply = import_module(f"api.api.{operation}").sync_detailed(*path, client=client, **query)
    if reply.status_code != 200:
        raise RuntimeError(f"{operation}: {reply.status_code} {reply.content!r}")
    return reply.parsed


def walk(operation, field, *path, **more):
    """Asks for pages until there is no token, and counts their rows."""
    rows, token = 0, UNSET
    while True:
        page = call(operation, *path, page_token=token, **more)
        rows += len(getattr(page, field))
        token = page.next_page_token
        if token is UNSET:
            return rows


def do(kind, *w):
    match kind:
        case "utxos":
            path = (ListUtxosNetwork(w[0]), w[1])
            return walk("primary_network.list_utxos", "utxos", *path, page_size=100, include_spent=True)
        case "vertices":
            return walk("primary_network.list_vertices", "vertices", ListVerticesNetwork(w[0]), w[1], page_size=10)
        case "messages":
            return walk("interchain_messages.list_icm_messages", "messages", page_size=100)
        case "internals":
            return walk("evm_chains.list_internal_transactions", "transactions", *w, page_size=10)
        case "metric":
            path = (w[0], GetSubnetMetricMetric(w[1]))
            return walk("metrics.get_subnet_metric", "results", *path, page_size=10)
        case "chains":
            return len(call("evm_chains.list_chains").chains)
        case "transaction":
            call("primary_network.get_transaction", GetTransactionNetwork(w[0]), *w[1:])
        case "message":
            call("interchain_messages.get_icm_message", *w)
        case "chain":
            call("evm_chains.get_chain", *w)
        case "health":
            return len([call(f"health.v{v}_{check}_check") for v in (1, 2) for check in ("health", "live")])
    return 1


for line in sys.stdin:
    print(do(*line.split()))
