import type { Avalanche } from '@avalanche-sdk/chainkit';
import { expect } from 'vitest';
import { examples } from '../../sample/examples.js';
import type { TestApp } from './app.js';
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
}
interface Balance {
  date: string;
  address: string;
  contractAddress?: string;
  balance: string;
}
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
      expect(now.messages).toEqual(own);
      expect(before.messages).toEqual(own.map(formerly));
    }
    for (const message of listed.filter(isRead).slice(0, 5)) {
      const { messageId } = message;
      expect((await teleporter.getTeleporterMessage({ messageId }, this.at)).messageId).toBe(messageId);
      expect((await this.gateway.get(`/v1/teleporter/messages/${messageId}`)).body).toEqual(
        formerly(message),
      );
    }
    const [{ from = '' } = {}] = listed.filter(({ from }) => read.includes(from));
    const list = teleporter.listTeleporterMessages({ network: 'fuji', from, pageSize: 3 }, this.at);
    expect((await this.rows<Message>(list, 'messages')).map(({ messageId }) => messageId)).toEqual(
      listed.filter((each) => each.from === from).map(({ messageId }) => messageId),
    );
  }

  /** The tokens of a collection, each of them, and those of owners. */
  async expectTokens(): Promise<void> {
    const stored = sample.rowsOf<Token>('evm.nft-tokens').filter((each) => each.evmChainId === chainId);
    const owned = new Map(stored.map((each) => [`${each.address} ${each.tokenId}`, each.owner]));
    const { nfts, evm } = this.client.data;
    for (const address of new Set(stored.map((each) => each.address))) {
      const tokens = await this.rows<Token & { ownerAddress?: string }>(
        nfts.list({ chainId, address, pageSize: 7 }, this.at),
        'tokens',
      );
      const ids = stored.filter((each) => each.address === address).map(({ tokenId }) => BigInt(tokenId));
      expect(tokens.map(({ tokenId }) => BigInt(tokenId))).toEqual(ids.sort((a, b) => (a < b ? -1 : 1)));
      for (const { tokenId, ownerAddress } of tokens)
        expect(ownerAddress).toBe(owned.get(`${address} ${tokenId}`));
      const [first] = tokens;
      const one = await nfts.get({ chainId, address, tokenId: first!.tokenId }, this.at);
      expect(one).toEqual(first);
    }
    const owner = stored.find((each) => each.owner)?.owner ?? '';
    const own = stored.filter((each) => each.owner === owner);
    const balances = await this.rows<Token & { chainId: string }>(
      evm.address.balances.listErc721({ chainId, address: owner, pageSize: 2 }, this.at),
      'erc721TokenBalances',
    );
    expect(balances.map(({ tokenId }) => tokenId).sort()).toEqual(own.map(({ tokenId }) => tokenId).sort());
    expect(new Set(balances.map((each) => each.chainId))).toEqual(new Set([chainId]));
    const ofOne = evm.address.balances.listErc721(
      { chainId, address: owner, contractAddress: own[0]!.address },
      this.at,
    );
    expect((await this.rows<Token>(ofOne, 'erc721TokenBalances')).map((each) => each.address)).toEqual(
      own.filter((each) => each.address === own[0]!.address).map((each) => each.address),
    );
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
      expect(nativeTokenBalance).toEqual({
        name: 'Avalanche',
        symbol: 'AVAX',
        decimals: 18,
        logoUri: 'https://avax.example/avax.svg',
        chainId,
        balance,
      });
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
      const read = this.rows<object>(
        balances.listErc20({ chainId, address, pageSize: 1 }, this.at),
        'erc20TokenBalances',
      );
      expect(await read).toEqual(expect.arrayContaining(wanted));
      expect(await read).toHaveLength(wanted.length);
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
      expect(read).toEqual({ indexedChains: [wanted], unindexedChains: [] });
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
