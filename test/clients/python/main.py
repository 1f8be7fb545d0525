"""Reads every list to its end, and every single thing, by the client that openapi-generator makes."""

import sys

import api


def walk(page):
    """Asks for pages until there is no token, and counts their rows."""
    rows, token = 0, None
    while True:
        found, token = page(token)
        rows += len(found)
        if token is None:
            return rows


def do(client, kind, *w):
    primary, evm = api.PrimaryNetworkApi(client), api.EVMChainsApi(client)
    icm, metrics, health = api.InterchainMessagesApi(client), api.MetricsApi(client), api.HealthApi(client)

    def lists(call, field, **more):
        def page(token):
            reply = call(*w, page_token=token, **more)
            return getattr(reply, field), reply.next_page_token

        return walk(page)

    match kind:
        case "utxos":
            return lists(primary.list_utxos, "utxos", page_size=100, include_spent=True)
        case "vertices":
            return lists(primary.list_vertices, "vertices", page_size=10)
        case "messages":
            return lists(icm.list_icm_messages, "messages", page_size=100)
        case "internals":
            return lists(evm.list_internal_transactions, "transactions", page_size=10)
        case "metric":
            return lists(metrics.get_subnet_metric, "results", page_size=10)
        case "chains":
            return len(evm.list_chains().chains)
        case "transaction":
            primary.get_transaction(*w)
        case "message":
            icm.get_icm_message(*w)
        case "chain":
            evm.get_chain(*w)
        case "health":
            checks = [health.v1_health_check, health.v1_live_check, health.v2_health_check, health.v2_live_check]
            return len([check() for check in checks])
    return 1


with api.ApiClient(api.Configuration(host=sys.argv[1])) as client:
    for line in sys.stdin:
        print(do(client, *line.split()))
