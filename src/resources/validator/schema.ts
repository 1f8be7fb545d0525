import type { Builder } from '../../graphql/builder.js';
import { registerConnection } from '../../graphql/connection-type.js';
import type { ConnectionSource } from '../../graphql/connection.js';
import { exposeFields } from '../../graphql/fields.js';
import { splitNetworkKey } from '../../graphql/global-id.js';
import { rowField } from '../../graphql/row-field.js';
import { loadRow } from '../../graphql/row-loader.js';
import { listField } from '../../graphql/list-field.js';
import { sqlOf, sqlOfType } from '../../graphql/sql-source.js';
import { validatorArguments, validatorListArguments } from './arguments.js';
import { registerValidatorEdges } from './edges-schema.js';
import { validatorFields, validatorSource, type ValidatorNode } from './fields.js';
import { findValidators, validatorList } from './list.js';
import { registerValidatorLists } from './lists-schema.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    Validator: ValidatorNode;
    ValidatorConnection: ConnectionSource;
  }
}

/** Registers the type Validator, the fields that lead to it, and the query fields validator and validators. */
export function registerValidator(builder: Builder): void {
  registerType(builder);
  registerConnection(builder, 'Validator', 'validators');
  registerValidatorLists(builder);
  registerValidatorEdges(builder);
  registerQueries(builder);
}

function registerType(builder: Builder): void {
  builder.node('Validator', {
    description: 'A node that validates, or validated, the primary network, a subnet or an L1.',
    extensions: sqlOfType(validatorSource),
    id: {
      description: 'Global id, made of the network and the nodeId.',
      resolve: ({ network, nodeId }) => `${network}:${nodeId}`,
    },
    loadOne: (id: string, context) => {
      const parts = splitNetworkKey(id);
      return parts && loadRow(context, findValidators, { network: parts.network, nodeId: parts.key });
    },
    fields: (t) => ({
      network: t.expose('network', {
        type: 'Network',
        description: 'Its network.',
        extensions: sqlOf({ value: { form: 'plain', sql: validatorSource.keys.network } }),
      }),
      ...exposeFields(t, validatorFields),
    }),
  });
}

function registerQueries(builder: Builder): void {
  builder.queryField('validator', (t) =>
    rowField(t, {
      type: 'Validator',
      description: 'One validator by its node id; null when no indexed P-chain transaction names it.',
      find: findValidators,
      arguments: validatorArguments,
    }),
  );

  builder.queryField('validators', (t) =>
    listField(t, {
      type: 'ValidatorConnection',
      description: 'The nodes that P-chain transactions name, by nodeId.',
      list: validatorList,
      arguments: validatorListArguments,
    }),
  );
}
