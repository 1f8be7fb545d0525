/** The pages of one thing that most links lead to: a file of their own, which the newest do not need. */
export { AddressPage } from './address.js';
export { BlockPage } from './block.js';
export { TransactionPage } from './transaction.js';
