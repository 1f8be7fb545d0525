// Both the gateway and the explorer have it: it imports nothing.

/** A file of pages: those that most visits begin with, those that most links lead to, and all others. */
export type PagesFile = 'start' | 'things' | 'others';

/** What a page of the explorer is called. */
export interface ExplorerTitle {
  title: string;
  description: string;
  /** Which of the files of pages has it (`explorer/pages`); without one, what every page has is enough. */
  file?: PagesFile | undefined;
  /** Why the address can have no page, for people. */
  problem?: { text: string; value: string };
}

const NAME = 'Moraine';

type Titles = Readonly<Record<string, readonly [title: string, description: string]>>;

/** Title and description of pages: `:name` stands for that part of an address. */
const startPages = {
  '/': ['', 'Blocks, transactions, addresses and validators of the networks that this gateway has indexed.'],
  '/explore/:network': ['Newest on :network', 'The newest blocks and transactions of :network.'],
} satisfies Titles;

const searchPages = {
  '/explore/:network/search': ['Search', 'What an address, hash, id, block number or name is.'],
} satisfies Titles;

const thingPages = {
  '/explore/:network/addresses/:address': [
    'Address :address',
    'What :address has on :network, and its transactions.',
  ],
  '/explore/:network/:chain/transactions/:hash': [
    'Transaction :hash',
    'What transaction :hash on the :chain of :network did.',
  ],
  '/explore/:network/:chain/blocks/:number': [
    'Block :number of the :chain',
    'Block :number of the :chain of :network, and its transactions.',
  ],
} satisfies Titles;

const otherPages = {
  '/explore/:network/composite': [
    'Composite query',
    'Addresses of EVM chains by what they had on which days.',
  ],
  '/explore/:network/status': ['Status', 'How far each chain is indexed, and the limits of the gateway.'],
  '/explore/:network/validators': ['Validators of :network', 'The nodes that validate :network.'],
  '/explore/:network/validators/:node': [
    'Validator :node',
    'Staking periods, delegations and rewards of :node on :network.',
  ],
  '/explore/:network/subnets': ['Subnets of :network', 'The subnets and L1s of :network.'],
  '/explore/:network/subnets/:subnet': ['Subnet :subnet', 'Owners, chains, validators and fees of :subnet.'],
  '/explore/:network/l1-validators': ['L1 validators of :network', 'The validators of L1s of :network.'],
  '/explore/:network/l1-validators/:validation': [
    'L1 validator :validation',
    'Balance and weight of :validation, and each change of them.',
  ],
  '/explore/:network/assets': ['Assets of :network', 'The assets of :network.'],
  '/explore/:network/assets/:asset': ['Asset :asset', 'What created :asset, and who holds most of it.'],
  '/explore/:network/messages': ['Messages of :network', 'The interchain messages of :network.'],
  '/explore/:network/messages/:message': [
    'Interchain message :message',
    'Where :message was sent and delivered, its reward, receipts and payload.',
  ],
  '/explore/:network/vertices': ['Vertices of :network', 'The vertices of the X-chain of :network.'],
  '/explore/:network/vertices/:vertex': [
    'Vertex :vertex',
    'The vertex :vertex of the X-chain of :network, and its transactions.',
  ],
  '/explore/:network/blockchains/:blockchain': [
    'Blockchain :blockchain',
    'What created the blockchain :blockchain of :network, and its genesis.',
  ],
  '/explore/:network/evm': ['EVM chains of :network', 'The EVM chains of :network.'],
  '/explore/:network/evm/:evm': ['EVM chain :evm', 'EVM chain :evm and its newest internal transactions.'],
  '/explore/:network/evm/:evm/addresses/:address': [
    'Address :address on EVM chain :evm',
    'Balance, internal transactions, messages and NFTs of :address on EVM chain :evm.',
  ],
  '/explore/:network/evm/:evm/transactions/:hash': [
    'EVM transaction :hash',
    'Internal transactions and messages of :hash on EVM chain :evm.',
  ],
  '/explore/:network/evm/:evm/nfts/:collection': [
    'NFT collection :collection',
    'NFTs of :collection on EVM chain :evm, and their owners.',
  ],
  '/explore/:network/evm/:evm/nfts/:collection/:token': [
    'NFT :token of :collection',
    'Owner and metadata of NFT :token of :collection on EVM chain :evm.',
  ],
  '/explore/:network/:chain/transactions': [
    'Transactions of the :chain',
    'The newest transactions of the :chain of :network, by what they do and by day.',
  ],
  '/explore/:network/:chain/blocks': ['Blocks of the :chain', 'The newest blocks of the :chain of :network.'],
} satisfies Titles;

export const explorerPages = { ...startPages, ...searchPages, ...thingPages, ...otherPages };

const filesOfPages: readonly [PagesFile, Titles][] = [
  ['start', startPages],
  ['things', thingPages],
  ['others', otherPages],
];
const fileOf = (pattern: string) => filesOfPages.find(([, titles]) => pattern in titles)?.[0];

/** The address of a page, with names for its parts. */
export type PagePath = keyof typeof explorerPages;

/** Forms of parts of an address, and what is wrong with another text. */
const forms: Readonly<Record<string, readonly [form: RegExp, why: string]>> = {
  network: [/^(mainnet|fuji)$/, 'is not a network: there are mainnet and fuji'],
  chain: [
    /^([pxc]-chain|[1-9A-HJ-NP-Za-km-z]{30,60})$/,
    'is not a chain of the primary network: there are p-chain, x-chain and c-chain',
  ],
  number: [/^\d{1,20}$/, 'is not the number of a block: that has digits alone'],
  evm: [
    /^[1-9]\d{0,19}$/,
    'is not the id of an EVM chain: that is a number of at least 1, and has digits alone',
  ],
  token: [/^\d{1,78}$/, 'is not the id of a token: that has digits alone'],
};

/** Longest part of an address that is repeated: no id has more characters. */
const LONGEST = 100;

/** What the page at an address is called. @param path without a query */
export function explorerTitle(path: string): ExplorerTitle {
  const parts = path.split('/').filter(Boolean).map(decoded);
  for (const [pattern, [title, description]] of Object.entries(explorerPages)) {
    const values = match(pattern.split('/').filter(Boolean), parts);
    if (!values) continue;
    const problem = problemOf(values);
    if (problem) return { ...MISSING, problem };
    // Words have `P-chain`, addresses `p-chain`.
    if (/^.-chain$/.test(values['chain'] ?? '')) values['chain'] = capital(values['chain'] ?? '');
    const filled = (text: string) => text.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? '');
    return {
      title: title ? `${filled(title)} - ${NAME}` : NAME,
      description: filled(description),
      file: fileOf(pattern),
    };
  }
  return MISSING;
}

const MISSING = {
  title: `There is no such page - ${NAME}`,
  description: 'There is no such page.',
};

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The parts of an address by name; undefined if it has another form. */
function match(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const expected = pattern[index] ?? '';
    if (expected.startsWith(':')) values[expected.slice(1)] = part.slice(0, LONGEST);
    else if (expected !== part) return undefined;
  }
  return values;
}

function problemOf(values: Readonly<Record<string, string>>): ExplorerTitle['problem'] {
  for (const [name, value] of Object.entries(values)) {
    const [form, why = ''] = forms[name] ?? [];
    if (form && !form.test(value)) return { text: `“${value}” ${why}.`, value };
  }
  return undefined;
}

/** Without what cannot be decoded, and what would turn the direction of the title. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
  } catch {
    return part;
  }
}
