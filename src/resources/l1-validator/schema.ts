import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import type { ConnectionSource } from '../../graphql/connection.js';
import { exposeFields } from '../../graphql/fields.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { listField } from '../../graphql/list-field.js';
import { sqlOf, sqlOfType } from '../../graphql/sql-source.js';
import { l1ValidatorArguments, l1ValidatorListArguments } from './arguments.js';
import { registerL1ValidatorEdges } from './edges-schema.js';
import {
  l1ValidatorChangeFields,
  l1ValidatorFields,
  l1ValidatorObjects,
  l1ValidatorSource,
  type L1ValidatorChangeNode,
  type L1ValidatorNode,
} from './fields.js';
import { findL1Validators, l1ValidatorChangeList, l1ValidatorList } from './list.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    L1Validator: L1ValidatorNode;
    L1ValidatorConnection: ConnectionSource;
    L1ValidatorChange: L1ValidatorChangeNode;
    L1ValidatorChangeConnection: ConnectionSource;
  }
}

/** Registers the types L1Validator and L1ValidatorChange, and the query fields l1Validator and l1Validators. */
export function registerL1Validator(builder: Builder): void {
  registerType(builder);
  registerConnection(builder, 'L1Validator', 'L1 validators');
  registerChanges(builder);
  registerL1ValidatorEdges(builder);
  registerQueries(builder);
}

function registerType(builder: Builder): void {
  builder.node('L1Validator', {
    description:
      'One validation period of an L1 validator: a node with a weight, and a balance from which it pays fees.',
    extensions: sqlOfType(l1ValidatorSource),
    id: {
      description: 'Global id, made of the network and the validationId.',
      resolve: ({ network, validationId }) => `${network}:${validationId}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      return parts && loadRow(context, findL1Validators, { network: parts.network, validationId: parts.key });
    },
    fields: (t) => ({
      network: t.expose('network', {
        type: 'Network',
        description: 'Its network.',
        extensions: sqlOf({ value: { form: 'plain', sql: l1ValidatorSource.keys.network } }),
      }),
      ...exposeFields(t, l1ValidatorFields),
      ...exposeFields(t, l1ValidatorObjects, 'newest.change'),
    }),
  });
}

function registerChanges(builder: Builder): void {
  builder.objectType('L1ValidatorChange', {
    description: 'What a transaction did to an L1 validator.',
    fields: (t) => exposeFields(t, l1ValidatorChangeFields),
  });
  registerConnection(builder, 'L1ValidatorChange', 'changes of an L1 validator');
  builder.objectField('L1Validator', 'changes', (t) =>
    listField(t, {
      type: 'L1ValidatorChangeConnection',
      description:
        'Changes that transactions made to its weight and balance, newest first by block timestamp, ties by txHash.',
      list: l1ValidatorChangeList,
      of: { rowId: ({ rowId }) => rowId },
      key: ({ network, validationId }) => ({ network, validationId }),
    }),
  );
}

function registerQueries(builder: Builder): void {
  builder.queryField('l1Validator', (t) =>
    rowField(t, {
      type: 'L1Validator',
      description: 'One L1 validator by its validation id; null when no indexed transaction changed it.',
      find: findL1Validators,
      arguments: l1ValidatorArguments,
    }),
  );

  builder.queryField('l1Validators', (t) =>
    listField(t, {
      type: 'L1ValidatorConnection',
      description: 'The L1 validators that transactions changed, including removed ones, by validationId.',
      list: l1ValidatorList,
      arguments: l1ValidatorListArguments,
    }),
  );
}
