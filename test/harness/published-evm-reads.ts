import type { Avalanche } from '@avalanche-sdk/chainkit';
import { expect } from 'vitest';
import { examples } from '../../sample/examples.js';
import type { TestApp } from './app.js';
import type { Compared } from './compared.js';
import { poolOf } from './connections.js';
import { readSample } from './sample.js';
import { walkRest } from './walk.js';

const chainId = '43113';
const sample = readSample();

interface Message {
  messageId: string;
  from: string;
  to: string;
  icmContractAddress: string;
  rewardDetails: { price?: unknown };
  status: keyof typeof forms;
  sourceBlockNumber?: string;
  sourceLogIndex?: number;
}
/** What each status is called in the names of schemas. */
const forms = { pending: 'Pending', delivered: 'Delivered', delivered_source_not_indexed: 'Unindexed' };
const messages = new Map(
  sample.rowsOf<Message>('fuji.icm.messages').map((each) => [each.messageId, each] as const),
);
interface Balance {
  date: string;
  address: string;
  contractAddress?: string;
  balance: string;
}
type Row = Record<string, unknown>;
interface Token {
  evmChainId: string;
  address: string;
  tokenId: string;
  owner?: string;
}

/** What the client reads of EVM chains and messages, on a gateway that has the sample. */
export class PublishedEvmReads {
  constructor(
    private readonly gateway: TestApp,
    private readonly client: Avalanche,
    private readonly at: { serverURL: string },
    private readonly compared: Compared,
  ) {}

  private async rows<Row>(pages: Promise<AsyncIterable<{ result: object }>>, list: string): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const { result } of await pages) rows.push(...(result as Record<string, Row[]>)[list]!);
    return rows;
  }

  /** Messages of an address, and the lists under their former names. */
  async expectMessages(): Promise<void> {
    const { icm, teleporter } = this.client.data;
    const all = await walkRest(this.gateway, '/v1/icm/messages', 'messages', 100);
    const listed = all as unknown as Message[];
    // The client takes the price for a number, the published API for a text (docs/contract.md).
    const isRead = ({ rewardDetails }: Message) => !rewardDetails.price;
    const parties = [...new Set(listed.flatMap(({ from, to }) => [from, to]))];
    const read = parties.filter((party) =>
      listed.filter(({ from, to }) => [from, to].includes(party)).every(isRead),
    );
    for (const address of read.slice(0, 12)) {
      const own = listed.filter(({ from, to }) => [from, to].includes(address));
      const query = { address, network: 'fuji' as const, pageSize: 3 };
      for (const page of [
        (pageToken?: string) => icm.listByAddress({ ...query, pageToken }, this.at),
        (pageToken?: string) => teleporter.listTeleporterMessagesByAddress({ ...query, pageToken }, this.at),
      ])
        expect(await idsOf(page)).toEqual(own.map(({ messageId }) => messageId));
      const path = (name: string) => `/v1/${name}/addresses/${address}/messages?network=fuji&pageSize=100`;
      const { body: now } = await this.gateway.get(path('icm'));
      const { body: before } = await this.gateway.get(path('teleporter'));
      this.expectRows('IcmMessage', now.messages as Message[]);
      this.expectRows('TeleporterMessage', before.messages as Message[]);
    }
    for (const message of listed.filter(isRead).slice(0, 5)) {
      const { messageId } = message;
      expect((await teleporter.getTeleporterMessage({ messageId }, this.at)).messageId).toBe(messageId);
      const { body } = await this.gateway.get(`/v1/teleporter/messages/${messageId}`);
      this.expectRows('TeleporterMessage', [body as Message]);
    }
    const [{ from = '' } = {}] = listed.filter(({ from }) => read.includes(from));
    const list = teleporter.listTeleporterMessages({ network: 'fuji', from, pageSize: 3 }, this.at);
    expect((await this.rows<Message>(list, 'messages')).map(({ messageId }) => messageId)).toEqual(
      listed.filter((each) => each.from === from).map(({ messageId }) => messageId),
    );
  }

  /** Messages as the sample's rows are, which have the shape of the reply. */
  private expectRows(kind: 'IcmMessage' | 'TeleporterMessage', found: readonly Message[]): void {
    for (const message of found) {
      // What only its place in lists follows from is not shown.
      const { sourceBlockNumber, sourceLogIndex, ...row } = messages.get(message.messageId)!;
      void [sourceBlockNumber, sourceLogIndex];
      const wanted = kind === 'IcmMessage' ? row : formerly(row);
      this.compared.expect(`${forms[message.status]}${kind}`, [message as unknown as Row], [wanted]);
    }
  }

  /** The tokens of a collection, each of them, and those of owners. */
  async expectTokens(): Promise<void> {
    const stored = sample.rowsOf<Token>('evm.nft-tokens').filter((each) => each.evmChainId === chainId);
    const metadata = await this.storeMetadata(stored[0]!.address);
    const wantedOf = ({ address, tokenId, owner }: Token) => {
      const read = metadata.get(`${address} ${tokenId}`);
      const common = {
        address,
        tokenId,
        ercType: 'ERC-721',
        tokenUri: '',
        metadata: { indexStatus: 'UNINDEXED' },
      };
      const is1155 = read?.['ercType'] === 'ERC-1155';
      return { ...common, ownerAddress: owner, ...(!is1155 && { name: '', symbol: '' }), ...read };
    };
    const { nfts, evm } = this.client.data;
    const byId = (a: Token, b: Token) => (BigInt(a.tokenId) < BigInt(b.tokenId) ? -1 : 1);
    for (const address of new Set(stored.map((each) => each.address))) {
      const list = nfts.list({ chainId, address, pageSize: 7 }, this.at);
      const tokens = await this.rows<Token>(list, 'tokens');
      const wanted = stored.filter((each) => each.address === address).sort(byId);
      this.compared.expect('NftToken', tokens as object[] as Row[], wanted.map(wantedOf));
      for (const token of tokens.slice(0, 4))
        expect(await nfts.get({ chainId, address, tokenId: token.tokenId }, this.at)).toEqual(token);
    }
    const owner = stored.find((each) => each.owner)?.owner ?? '';
    const own = stored.filter((each) => each.owner === owner);
    const balancesOf = async (more: object) => {
      const list = evm.address.balances.listErc721(
        { chainId, address: owner, pageSize: 2, ...more },
        this.at,
      );
      const rows = await this.rows<Token>(list, 'erc721TokenBalances');
      return rows.sort(byId) as object[] as Row[];
    };
    const ownRows = (rows: readonly Token[]) =>
      rows.toSorted(byId).map((each) => ({ ...wantedOf(each), chainId }));
    this.compared.expect('Erc721TokenBalance', await balancesOf({}), ownRows(own));
    const [{ address: contractAddress }] = own as [Token];
    expect(await balancesOf({ contractAddress })).toEqual(
      ownRows(own.filter(({ address }) => address === contractAddress)),
    );
  }

  /** Gives tokens of a collection what reading their contract would. @returns what replies then say */
  private async storeMetadata(address: string): Promise<Map<string, Row>> {
    const pool = poolOf(this.gateway.storage);
    const contract = Buffer.from(address.slice(2), 'hex');
    const traits = [{ traitType: 'Height', value: '4810', displayType: 'number' }];
    const [uri, name, description, image] = [
      'https://nfts.example/1',
      'Summit',
      'A summit',
      'https://nfts.example/1.png',
    ];
    for (const [tokenId, standard] of [
      ['1', 'ERC-721'],
      ['2', 'ERC-1155'],
    ])
      await pool.query(
        `UPDATE nft_token SET metadata_status = 'done', standard = $3, metadata_address = $4, name = $5, description = $6,
           image = $7, attributes = $8, fetched_at = to_timestamp(1793000000)
         WHERE evm_chain_id = ${chainId} AND address = $1 AND token_id = $2`,
        [contract, tokenId, standard, uri, name, description, image, JSON.stringify(traits)],
      );
    await pool.query(
      `UPDATE nft_token SET metadata_status = 'failed' WHERE evm_chain_id = ${chainId} AND address = $1 AND token_id = 3`,
      [contract],
    );
    const metadata = {
      indexStatus: 'INDEXED',
      metadataLastUpdatedTimestamp: 1_793_000_000,
      name,
      description,
      imageUri: image,
    };
    const attributes = '[{"trait_type":"Height","value":"4810","display_type":"number"}]';
    return new Map<string, Row>([
      [`${address} 1`, { tokenUri: uri, metadata: { ...metadata, attributes } }],
      [`${address} 2`, { ercType: 'ERC-1155', tokenUri: uri, metadata, ownerAddress: undefined }],
      [`${address} 3`, { metadata: { indexStatus: 'UNKNOWN' } }],
    ]);
  }

  /** The newest balances of addresses, in the coin and in tokens. */
  async expectBalances(): Promise<void> {
    const native = newest(sample.rowsOf<Balance>('evm.43113.native-balances'), ({ address }) => address);
    const tokens = newest(
      sample.rowsOf<Balance>('evm.43113.erc20-balances'),
      ({ address, contractAddress }) => `${address} ${contractAddress}`,
    );
    const { balances } = this.client.data.evm.address;
    for (const [address, { balance }] of [...native].slice(0, 10)) {
      const { nativeTokenBalance } = await balances.getNative({ chainId, address }, this.at);
      const coin = {
        name: 'Avalanche',
        symbol: 'AVAX',
        decimals: 18,
        logoUri: 'https://avax.example/avax.svg',
        chainId,
        balance,
      };
      this.compared.expect('NativeTokenBalance', [nativeTokenBalance], [coin]);
      const own = [...tokens.values()].filter((each) => each.address === address && each.balance !== '0');
      const wanted = own.map(({ contractAddress, balance: held }) => ({
        address: contractAddress,
        name: '',
        symbol: '',
        decimals: 0,
        ercType: 'ERC-20',
        chainId,
        balance: held,
        tokenReputation: null,
      }));
      const list = balances.listErc20({ chainId, address, pageSize: 1 }, this.at);
      const read = await this.rows<Row>(list, 'erc20TokenBalances');
      const byAddress = (rows: readonly Row[]) =>
        rows.toSorted((a, b) => (String(a['address']) < String(b['address']) ? -1 : 1));
      this.compared.expect('Erc20TokenBalance', byAddress(read), byAddress(wanted));
      const narrowed = balances.listErc20(
        { chainId, address, contractAddresses: examples.erc20Address },
        this.at,
      );
      expect(await this.rows<object>(narrowed, 'erc20TokenBalances')).toEqual(
        wanted.filter((each) => each.address === examples.erc20Address),
      );
    }
    const nobody = `0x${'9'.repeat(40)}`;
    const none = await balances.getNative({ chainId, address: nobody }, this.at);
    expect(none.nativeTokenBalance.balance).toBe('0');
    await expect(balances.getNative({ chainId: '7310002', address: nobody }, this.at)).rejects.toMatchObject({
      statusCode: 404,
    });
    expect(
      (await this.gateway.get(`/v1/chains/43113/addresses/${nobody}/balances:getNative?blockNumber=1`))
        .status,
    ).toBe(400);
  }

  async expectChainsOfAddress(): Promise<void> {
    const { chains } = await this.client.data.evm.chains.list({}, this.at);
    const { address, chains: ofChains } = this.client.data.evm;
    const [wanted] = chains.filter((each) => each.chainId === chainId);
    for (const read of [
      await address.chains.list({ address: examples.evmAddress }, this.at),
      await ofChains.getAddressChains({ address: examples.evmAddress }, this.at),
    ])
      this.compared.expect('EvmAddressChains', [read], [{ indexedChains: [wanted], unindexedChains: [] }]);
    const nobody = await address.chains.list({ address: `0x${'9'.repeat(40)}` }, this.at);
    expect(nobody).toEqual({ indexedChains: [], unindexedChains: [] });
  }
}

/** The ids of the messages of all pages; the client does not follow their tokens by itself. */
async function idsOf(
  page: (
    token?: string,
  ) => Promise<{ messages: { messageId: string }[]; nextPageToken?: string | undefined }>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let token: string | undefined, first = true; first || token; first = false) {
    const { messages, nextPageToken } = await page(token);
    ids.push(...messages.map(({ messageId }) => messageId));
    token = nextPageToken;
  }
  return ids;
}

const formerly = (message: Message) => ({
  ...message,
  teleporterContractAddress: message.icmContractAddress,
});

function newest(rows: readonly Balance[], keyOf: (row: Balance) => string): Map<string, Balance> {
  const found = new Map<string, Balance>();
  for (const row of rows) {
    const known = found.get(keyOf(row));
    if (!known || known.date <= row.date) found.set(keyOf(row), row);
  }
  return found;
}
