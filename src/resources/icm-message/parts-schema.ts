import type { Builder } from '../../graphql/builder.js';
import { exposeFields } from '../../graphql/fields.js';
import { icmObjects, icmStatuses, type IcmObjects, type IcmStatus } from './details.js';
import type { IcmMessageNode } from './fields.js';

declare module '../../graphql/builder.js' {
  interface ObjectTypes {
    IcmReceipt: IcmReceiptNode;
    IcmPrice: IcmObjects['IcmPrice'];
    IcmRewardDetails: IcmObjects['IcmRewardDetails'];
    IcmSourceTransaction: IcmObjects['IcmSourceTransaction'];
    IcmDestinationTransaction: IcmObjects['IcmDestinationTransaction'];
  }
  interface LeafTypes {
    IcmStatus: Leaf<IcmStatus>;
  }
}

/** A receipt with the message that carries it. */
export type IcmReceiptNode = IcmObjects['IcmReceipt'] & { carrier: IcmMessageNode };

/** Registers the parts of a message. */
export function registerIcmParts(builder: Builder): void {
  builder.enumType('IcmStatus', {
    description: 'Delivery status of a message.',
    values: Object.fromEntries(
      Object.entries(icmStatuses).map(([name, description]) => [name, { description }]),
    ),
  });
  for (const [name, { description, fields }] of Object.entries(icmObjects))
    builder.objectType(name as keyof IcmObjects, {
      description,
      fields: (t) => exposeFields(t, fields),
    });
}
