/*
 * What nodes and providers say when they refuse a call. Everything else is an unknown error, from
 * which nothing is concluded. Each line has a test (test/follow/node/refusals.test.ts).
 */

/** What a refusal means: the name of its line in the error table (rpc-errors.ts). */
export type Meaning =
  | 'call-failed'
  | 'batch-too-large'
  | 'plan-lacks'
  | 'busy'
  | 'node-busy'
  | 'syncing'
  | 'not-accepted-yet'
  | 'history-missing'
  | 'state-missing'
  | 'tracer-missing'
  | 'method-missing'
  | 'not-found'
  | 'trace-refused'
  | 'call-aborted'
  | 'index-empty'
  | 'never-answered'
  | 'access-refused'
  | 'bad-request';

/**
 * What it means, a part of the sentence in lower case, and who prints it. `^` is the beginning of the
 * sentence, `$` its end. The first line that fits counts: after "execution reverted" a contract may write
 * anything.
 */
export const refusals: readonly (readonly [means: Meaning, words: string, source: string])[] = [
  ['call-failed', '^execution reverted', 'go-ethereum core/vm/errors.go; besu RpcErrorType; reth; anvil'],
  ['call-failed', 'vm execution error', 'nethermind, openethereum (-32015)'],
  ['call-failed', 'vm exception while processing transaction', 'hardhat, ganache'],
  ['call-failed', 'evm error', 'anvil crates/anvil/src/eth/error.rs; reth rpc-eth-types'],
  ['call-failed', 'out of gas', 'go-ethereum core/vm/errors.go; reth; nethermind; anvil'],
  ['call-failed', 'invalid opcode', 'go-ethereum core/vm/errors.go; erigon; reth'],
  ['call-failed', 'invalid jump destination', 'go-ethereum core/vm/errors.go'],
  ['call-failed', 'stack underflow', 'go-ethereum core/vm/errors.go'],
  ['call-failed', 'stack limit reached', 'go-ethereum core/vm/errors.go'],
  ['call-failed', 'gas uint64 overflow', 'go-ethereum core/vm/errors.go; anvil'],
  ['call-failed', 'return data out of bounds', 'go-ethereum core/vm/errors.go'],
  ['call-failed', 'write protection', 'go-ethereum core/vm/errors.go'],
  ['call-failed', 'max call depth', 'go-ethereum core/vm/errors.go'],
  ['call-failed', 'contract creation code', 'go-ethereum core/vm/errors.go'],
  ['call-failed', 'transaction processing could not be completed due to an exception', 'besu RpcErrorType'],
  ['trace-refused', 'execution timeout', 'go-ethereum eth/tracers/api.go; coreth'],
  ['trace-refused', '^tracing failed', 'go-ethereum eth/tracers/api.go; coreth'],
  ['call-aborted', 'execution aborted (timeout', 'go-ethereum internal/ethapi/api.go; reth rpc-eth-types'],
  ['batch-too-large', 'batch too large', 'go-ethereum rpc/errors.go'],
  ['batch-too-large', 'response too large', 'go-ethereum rpc/errors.go'],
  ['batch-too-large', 'batch response exceeded', 'avalanchego 1.14.0'],
  ['batch-too-large', 'batch limit', 'erigon rpc/handler.go'],
  ['batch-too-large', 'batch request was too large', 'reth (jsonrpsee, -32010)'],
  ['batch-too-large', 'batched requests are not supported', 'reth (jsonrpsee, -32005)'],
  ['batch-too-large', 'response is too big', 'reth (jsonrpsee, -32008)'],
  ['batch-too-large', 'request is too big', 'reth (jsonrpsee, -32007)'],
  ['batch-too-large', 'exceeds max batch size', 'besu RpcErrorType (-32005)'],
  ['batch-too-large', 'batch size', 'nethermind; Ankr'],
  ['batch-too-large', 'batch of more than', 'dRPC, 1RPC: free tiers (500 with an error for each call)'],
  ['batch-too-large', 'methods in the batch', 'Gnosis RPC; AlphaWallet/alpha-wallet-ios#5021'],
  ['batch-too-large', 'request is too large', '1RPC docs.1rpc.io/using-the-web3-api/errors'],
  ['batch-too-large', 'response size should not', '1RPC docs.1rpc.io/using-the-web3-api/errors'],
  ['plan-lacks', 'not included in your current plan', 'Chainstack; drpcorg/dshackle LowerBoundState'],
  ['plan-lacks', 'requests are not available on your current plan', 'Chainstack'],
  ['plan-lacks', 'is not available on the free tier', 'Alchemy: debug methods'],
  ['busy', 'daily request count exceeded', 'Infura (-32005); MetaMask/eth-json-rpc-infura#33'],
  ['busy', 'request rate exceeded', 'Infura (-32005)'],
  ['busy', 'key throughput limit', 'Infura, MetaMask: docs of key credit limits'],
  ['busy', 'compute units per second', 'Alchemy, BlastAPI (429)'],
  ['busy', 'monthly capacity limit', 'Alchemy (429); ethers-io/ethers.js#5071'],
  ['busy', 'request limit reached', 'QuickNode (-32007 a second, -32003 a day)'],
  ['busy', 'requests limited to', 'QuickNode (-32009: traces)'],
  ['busy', 'credits limited to', 'QuickNode support: credits limited to X/sec'],
  ['busy', 'requests per second (rps)', 'QuickNode error-references (429)'],
  ['busy', 'exceeded the rps limit', 'Chainstack (-32005)'],
  ['busy', 'timeout on the free tier', 'dRPC (30); enviodev/hyperindex#715'],
  ['busy', 'reached the free tier', 'erpc/erpc error_normalizer.go'],
  ['busy', 'reached the usage limit', '1RPC docs.1rpc.io/using-the-web3-api/errors (-32001)'],
  ['busy', 'rate limit', 'TheRPC (-32029); proxyd (-32016); Kong'],
  ['busy', 'being rate limited', 'Cloudflare, page 1015'],
  ['busy', 'error code: 1015', 'Cloudflare'],
  ['busy', 'too many requests', 'nginx; AWS API Gateway; nethermind; HTTP 429'],
  ['busy', 'limit exceeded', 'EIP-1474 (-32005); AWS API Gateway; nethermind'],
  ['busy', 'exceeded the quota', 'erpc/erpc error_normalizer.go'],
  ['busy', 'reached the quota', 'erpc/erpc error_normalizer.go'],
  ['busy', 'quota exceeded', 'lab.au.ro (-32005: compute unit quota exceeded)'],
  ['busy', 'under too much load', 'erpc/erpc error_normalizer.go'],
  ['busy', 'server is busy', 'reth (jsonrpsee, -32009)'],
  ['node-busy', 'context deadline exceeded', 'avalanchego, coreth, go-ethereum'],
  ['node-busy', 'request timed out', 'go-ethereum rpc/errors.go (-32002)'],
  ['node-busy', 'timeout expired', 'besu RpcErrorType (-32603)'],
  ['node-busy', 'canceled due to enabled timeout', 'nethermind (-32016)'],
  ['node-busy', 'upstream request timeout', 'Envoy'],
  ['node-busy', 'upstream connect error', 'Envoy'],
  ['node-busy', 'no healthy upstream', 'Envoy'],
  ['node-busy', 'no available upstreams', 'dRPC (1)'],
  ['node-busy', 'temporary internal error', 'dRPC (19)'],
  ['node-busy', 'no backends available', 'proxyd (-32011)'],
  ['node-busy', 'cannot fulfill request', 'Cloudflare (-32046)'],
  ['syncing', 'transaction indexing is in progress', 'go-ethereum eth/api_backend.go'],
  ['syncing', 'initial sync is still in progress', 'besu RpcErrorType (-32008)'],
  ['not-accepted-yet', '^cannot query unfinalized data', 'coreth eth/api_backend.go; subnet-evm'],
  ['not-accepted-yet', 'after last accepted block', 'coreth eth/filters'],
  ['not-accepted-yet', 'unfinalized height', 'avalanchego 1.14.0'],
  ['not-accepted-yet', '> last accepted index', 'avalanchego 1.14.0'],
  ['not-accepted-yet', '^no container at index', 'avalanchego 1.14.0'],
  ['not-accepted-yet', 'blockoutofrangeerror', 'anvil crates/anvil/src/eth/error.rs'],
  ['not-accepted-yet', 'request beyond head block', 'drpcorg/dshackle LowerBoundState'],
  ['history-missing', 'pruned history unavailable', 'go-ethereum, reth, nethermind (4444, EIP-4444)'],
  ['history-missing', 'with such an id is pruned', 'zksync; drpcorg/dshackle LowerBoundBlock'],
  ['history-missing', 'purged for block', 'erigon; drpcorg/dshackle LowerBoundState'],
  ['state-missing', 'missing trie node', 'go-ethereum trie/errors.go; coreth; subnet-evm'],
  ['state-missing', 'historical state', 'go-ethereum eth/state_accessor.go; coreth; monad'],
  ['state-missing', 'state is not available', 'bsc; drpcorg/dshackle LowerBoundState'],
  ['state-missing', "state histories haven't been fully indexed", 'go-ethereum triedb/pathdb'],
  ['state-missing', 'old data not available due to pruning', 'erigon db/state PrunedError'],
  ['state-missing', 'state at block #', 'reth storage errors: state at block #N is pruned'],
  ['state-missing', 'no state available for block', 'nethermind (-32002)'],
  ['state-missing', 'world state unavailable', 'besu RpcErrorType'],
  ['state-missing', 'running with state pruning', 'openethereum, fuse'],
  ['state-missing', 'state already discarded for', 'moonbeam; drpcorg/dshackle LowerBoundState'],
  ['state-missing', 'no state found for block', 'op-geth; drpcorg/dshackle LowerBoundState'],
  ['state-missing', 'does not maintain archive data', 'fantom; drpcorg/dshackle LowerBoundState'],
  ['state-missing', 'required data unavailable', 'anvil crates/anvil/src/eth/error.rs'],
  ['tracer-missing', 'tracer not found', 'go-ethereum eth/tracers; coreth'],
  ['tracer-missing', 'is not defined at <eval>', 'go-ethereum eth/tracers/js'],
  ['method-missing', 'does not exist/is not available', 'go-ethereum rpc/errors.go; coreth; erigon'],
  ['method-missing', "^rpc: can't find method", 'avalanchego 1.14.0'],
  ['method-missing', "^rpc: can't find service", 'avalanchego 1.14.0'],
  ['method-missing', 'method not found', 'anvil, besu, reth (-32601)'],
  ['method-missing', 'method not enabled', 'besu RpcErrorType (-32604)'],
  ['method-missing', 'method is not whitelisted', 'proxyd (-32001)'],
  ['method-missing', 'unsupported method', 'Alchemy'],
  ['method-missing', 'rpc endpoint not implemented', 'anvil crates/anvil/src/eth/error.rs'],
  ['not-found', 'block not found', 'reth rpc-eth-types; besu RpcErrorType'],
  ['not-found', 'unknown block', 'besu RpcErrorType (-39001); go-ethereum'],
  ['not-found', 'could not find block', 'drpcorg/dshackle LowerBoundState'],
  ['not-found', '^could not find tx ', 'avalanchego 1.14.0'],
  ['not-found', ' not found$', 'avalanchego; go-ethereum (header not found); anvil (resource not found)'],
  ['not-found', '^not found$', 'avalanchego 1.14.0'],
  ['index-empty', '^no containers have been accepted', 'avalanchego 1.14.0; also of one that bootstraps'],
  ['never-answered', '^nil transaction id', 'avalanchego 1.14.0'],
  ['never-answered', 'genesis is not traceable', 'go-ethereum eth/tracers/api.go; coreth'],
  ['never-answered', 'invalid block range', 'go-ethereum eth/filters; reth rpc-eth-types'],
  ['access-refused', 'must be authenticated', 'Infura (-32600)'],
  ['access-refused', 'authenticate your request', 'Ankr'],
  ['access-refused', '^unauthorized$', 'besu RpcErrorType (-40100)'],
  ['access-refused', 'token is invalid', 'dRPC; erpc/erpc thirdparty/drpc.go'],
  ['bad-request', 'request ill-formed', 'avalanchego 1.14.0'],
  ['bad-request', 'must start with a non-uppercase', 'avalanchego 1.14.0'],
  ['bad-request', "couldn't unmarshal an argument", 'avalanchego 1.14.0'],
  ['bad-request', '^no addresses provided', 'avalanchego 1.14.0'],
  ['bad-request', '^number of addresses given', 'avalanchego 1.14.0'],
  ['bad-request', "couldn't parse address", 'avalanchego 1.14.0'],
  ['bad-request', '^no source chain provided', 'avalanchego 1.14.0'],
  ['bad-request', 'problem parsing source chainid', 'avalanchego 1.14.0'],
  ['bad-request', 'there is no chain with alias', 'avalanchego 1.14.0'],
  ['bad-request', 'numtofetch must be in', 'avalanchego 1.14.0'],
];

/** Codes that say as much, where no words are known. */
export const refusalCodes: readonly (readonly [means: Meaning, code: number, source: string])[] = [
  ['call-failed', 3, 'go-ethereum internal/ethapi/errors.go; nethermind ErrorCodes.cs'],
  ['call-failed', -32015, 'nethermind ErrorCodes.cs (VMError); openethereum'],
  ['busy', 429, 'Alchemy; QuickNode error-references; MetaMask'],
  ['busy', -32005, 'EIP-1474; nethermind ErrorCodes.cs; Infura; Chainstack'],
  ['busy', -32029, 'TheRPC docs'],
  ['history-missing', 4444, 'nethermind ErrorCodes.cs; reth; EIP-4444'],
  ['method-missing', -32601, 'JSON-RPC 2.0'],
  ['method-missing', -32604, 'besu RpcErrorType'],
  ['bad-request', -32700, 'JSON-RPC 2.0'],
  ['bad-request', -32600, 'JSON-RPC 2.0'],
  ['bad-request', -32602, 'JSON-RPC 2.0'],
];

/** What a refusal means, by its words or else its code; null for one that nobody knows. */
export function meaningOf(code: number | undefined, text: string): Meaning | null {
  const sentence = `^${text.trim().toLowerCase()}$`;
  const [known] = refusals.find(([, words]) => sentence.includes(words)) ?? [];
  const [coded] = refusalCodes.find(([, each]) => each === code) ?? [];
  return known ?? coded ?? null;
}
