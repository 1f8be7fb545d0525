"""The two checks of Schemathesis that know what the document cannot say, each case of it by name."""

import re
from urllib.parse import parse_qsl, urlsplit

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

# Refusals of what the document allows: all the texts of such a reply are among them.
BEYOND_A_PATTERN = {
    "the checksum of an id": r'"[1-9A-HJ-NP-Za-km-z]{37,50}" is (not an id|neither an EVM chain id)',
    "the checksum of a node id": r'"NodeID-[1-9A-HJ-NP-Za-km-z]{25,40}" is not a node id',
    "the checksum of an address": r"has a wrong bech32 checksum",
    "an address of the other network": r"does not begin with (avax|fuji)1, as addresses of",
    "a chain of the other network": r'"[1-9A-HJ-NP-Za-km-z]{37,50}" is not a chain of',
    "whose page a token is of": r"^pageToken: .* was not issued here for",
    "February 29 of a year without it": r'"[0-9]{4}-02-29[^"]*" is not a date',
    "which of two comes first": r"(firstDate: is after lastDate|startTs: is after endTs)$",
    "that items differ in one member": r"id: is used by several sub-queries",
    "one value at two places": r"in the body, .* in the query string; give it once",
    "a share with more decimals than four": r'"[0-9.]+(e-[0-9]+|[0-9]{5})" is not a share',
    "a filter that stands without others": r"^l1ValidationId: cannot be given together with",
    "one of two that has to be given": r"^nodeIds: is missing; give addresses, nodeIds or both$",
    "what the keys and sub-events of a kind of webhook are": r'^subEvents: (is missing; it must be a list of texts$|".*" is not one of )'
    r'|^keys: (has [0-9]+ keys; exactly one |".*" (begins with neither avax1 nor fuji1|is not a node id|is not an id))',
    "a text with NUL, which no pattern of generated Go can forbid": r"is not a text of at most [0-9]+ characters without NUL$",
    "a parameter that needs another": r"^status: cannot be given together with from or to unless txHash is given",
}

# Later times than any in microseconds are no bound.
LAST_TIME = 253402300799999999
HAVE_DEFAULTS = {"pageToken", "pageSize", "sortBy", "sortOrder", "includeSpent", "minUtxoAmount", "startBlock"}


def is_taken(name, text, path):
    """Whether a parameter that the document forbids is taken all the same, as the contract has it."""
    is_empty = text == "" and name in HAVE_DEFAULTS
    is_beyond = re.search("Timestamp$|since|until", name) and re.fullmatch("[0-9]+", text) and int(text) > LAST_TIME
    is_ignored = name == "assetId" and not re.search("/blockchains/(x-chain|2JVS|2oYM)", path)
    return is_empty or is_beyond or is_ignored


@schemathesis.check
def what_is_allowed_is_accepted(ctx, response, case):
    try:
        return positive_data_acceptance(ctx, response, case)
    except Failure:
        message = response.json()["message"]
        texts = message if isinstance(message, list) else [message]
        if not all(any(re.search(form, text) for form in BEYOND_A_PATTERN.values()) for text in texts):
            raise


@schemathesis.check
def what_is_forbidden_is_refused(ctx, response, case):
    try:
        return negative_data_rejection(ctx, response, case)
    except Failure:
        url = urlsplit(response.request.url)
        if not any(is_taken(name, text, url.path) for name, text in parse_qsl(url.query, keep_blank_values=True)):
            raise
