import { identityOf } from '../../avalanche/identity.js';
import type { Network } from '../../avalanche/networks.js';
import type { Reader } from '../../storage/reader.js';
import { bind, statement } from '../../storage/statement.js';
import { LONGEST_SHOWN_NAME } from './fields.js';

/** What has names: EVM chains, blockchains by the transactions that created them, assets, NFTs. */
export type Named = 'chain' | 'created' | 'asset' | 'token';

/** A name that begins with a text, or a word of which does. */
export interface FoundName {
  of: Named;
  /** Null of an NFT. */
  network: Network | null;
  /** EVM chain id, hash of the CreateChainTx, asset id; of an NFT `chain:contract:id`. */
  key: string;
  /** Its first characters. */
  name: string;
  /** Whether it is the text, but for capitals. */
  isExact: boolean;
}

/** Characters of a name that the indexes have: see prisma/migrations, search_names. */
const INDEXED = 64;

/** SQL of a name from a word on as the indexes have it: equal capitals, and cut. */
const folded = (name: string, word: number) => {
  const before = word === 2 ? String.raw`\W*\w+\W+` : String.raw`\W*(?:\w+\W+){2}`;
  const rest = word === 1 ? name : `substring(${name} from '^${before}(\\w.*)$')`;
  return `left(lower(${rest}), ${INDEXED})`;
};

interface NameSource {
  of: Named;
  from: string;
  where: string;
  name: string;
  /** Unless all words of it are indexed that are for others. */
  words: number;
  key: string;
  /** What the index sorts equal names by. */
  order: string;
}

const WORDS = 3;
const createdName = `t.details #>> '{blockchainInfo,chainName}'`;

const sources: readonly NameSource[] = [
  {
    of: 'chain',
    from: 'chain c',
    where: `c.is_testnet = (n.network = 'fuji')`,
    name: 'c.chain_name',
    words: WORDS,
    key: 'c.evm_chain_id::text',
    order: 'c.evm_chain_id',
  },
  {
    of: 'created',
    from: 'transaction t',
    where: `t.network = n.network AND t.chain = 'p' AND t.tx_type = 'CreateChainTx'`,
    name: createdName,
    words: WORDS,
    key: 't.tx_hash',
    order: 't.tx_hash COLLATE "C"',
  },
  ...(['a.name', 'a.symbol'] as const).map((name): NameSource => ({
    of: 'asset',
    from: 'asset a',
    where: 'a.network = n.network',
    name,
    words: name === 'a.name' ? WORDS : 1,
    key: 'a.asset_id',
    order: 'a.asset_id COLLATE "C"',
  })),
  {
    of: 'token',
    from: 'nft_token t',
    // Once, because it has no network.
    where: 'n.network = (:networks::network[])[1]',
    name: 't.name',
    words: 1,
    key: `t.evm_chain_id || ':0x' || encode(t.address, 'hex') || ':' || t.token_id`,
    order: 't.evm_chain_id, t.address, t.token_id',
  },
];

const asked = `left(lower(:text::text), ${INDEXED})`;

// One range of an index for each name and word, in whose order the text itself comes first. In the order of
// code units, in which the last one of Unicode ends the range of a beginning.
const ranges = sources.flatMap((source) =>
  Array.from({ length: source.words }, (_none, index) => {
    const { of, from, where, name, key, order } = source;
    const text = `${folded(name, index + 1)} COLLATE "C"`;
    return `
      SELECT '${of}' AS of, n.network, found.*, ${index + 1} AS word FROM unnest(:networks::network[]) AS n(network)
      CROSS JOIN LATERAL (
        SELECT ${key} AS key, left(${name}, ${LONGEST_SHOWN_NAME}) AS name, ${text} AS text FROM ${from}
        WHERE ${where} AND ${text} >= ${asked} AND ${text} < ${asked} || chr(1114111)
        ORDER BY ${text}, ${order} LIMIT :most) found`;
  }),
);

// Found by its id, because any number of assets may have its name.
const native = `
  SELECT 'asset' AS of, n.network, a.asset_id AS key, named.name, named.text COLLATE "C", 1 AS word
  FROM unnest(:networks::network[], :natives::text[]) AS n(network, asset_id)
  JOIN asset a ON a.network = n.network AND a.asset_id = n.asset_id
  CROSS JOIN LATERAL (
    SELECT each.name, lower(each.name) AS text FROM unnest(ARRAY[a.symbol, a.name]) AS each(name)
    WHERE starts_with(lower(each.name), ${asked}) LIMIT 1) named`;

const namesFrom = statement(
  'search_names_from',
  `SELECT of, CASE WHEN of <> 'token' THEN network::text END AS network, key, name,
     word = 1 AND text = ${asked} AS "isExact"
   FROM (SELECT true AS "isNative", own.* FROM (${native}) own
     UNION ALL SELECT false, others.* FROM (${ranges.join(' UNION ALL ')}) others) all_names
   ORDER BY word <> 1 OR text <> ${asked}, NOT "isNative", word, text, of, network, key COLLATE "C"`,
);

/**
 * Names that begin with a text, or whose second or third word does, in any capitals: first those that are the
 * text, then by word and name in the order of code units, then by id. AVAX is before all that others call so.
 * What has several such names is there several times.
 *
 * @param most of one network, name and word
 */
export function readNamesFrom(
  storage: Reader,
  text: string,
  networks: readonly Network[],
  most: number,
): Promise<FoundName[]> {
  const natives = networks.map((network) => identityOf(network).nativeAssetId);
  return storage.read(namesFrom, bind(namesFrom, { text, networks, natives, most }));
}
