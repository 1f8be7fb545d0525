// PostGraphile 5 with its own defaults on the gateway's tables. The relations that have no foreign key are declared in
// its own way, by smart tags. Started by bench/graphql.ts under a Node that it runs on.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { jsonPgSmartTags } from 'postgraphile/utils';

const [port = '0', pool = '{}'] = process.argv.slice(2);

const relations = jsonPgSmartTags({
  version: 1,
  config: {
    class: {
      // These are unique only by index.
      address: { tags: { unique: 'network,address' } },
      asset: { tags: { unique: 'network,asset_id' } },
      chain: { tags: { unique: 'blockchain_id' } },
      transaction: { tags: { unique: 'network,chain,tx_hash' } },
      address_balance: {
        tags: {
          foreignKey: ['(address_id) references address (id)', '(asset_row_id) references asset (id)'],
        },
      },
      icm_chain: {
        tags: { foreignKey: '(blockchain_id) references chain (blockchain_id)|@fieldName chain' },
      },
      utxo: {
        tags: {
          foreignKey: [
            '(network, consumed_on, consuming_tx_hash) references transaction (network, chain, tx_hash)|@fieldName consumingTransaction',
            '(network, created_on, tx_hash) references transaction (network, chain, tx_hash)|@fieldName creatingTransaction',
          ],
        },
      },
      utxo_owner: {
        tags: { foreignKey: ['(address_id) references address (id)', '(utxo_row_id) references utxo (id)'] },
      },
    },
  },
});

const preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [relations],
  pgServices: [makePgService({ poolConfig: JSON.parse(pool), schemas: ['public'], pubsub: false })],
  grafserv: { graphiql: false, watch: false },
};

const instance = postgraphile(preset);
const server = createServer();
await instance.createServ(grafserv).addTo(server);
if (process.env['PRINT_SCHEMA'])
  console.log((await import('graphql')).printSchema(await instance.getSchema()));
server.listen(Number(port), '127.0.0.1');
