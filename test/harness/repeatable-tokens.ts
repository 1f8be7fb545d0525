import { createHash } from 'node:crypto';
import type { TokenCodec } from '../../src/paging/token.js';

/** The same token for the same place of the same list, so that answers can be compared. */
export function repeatable(codec: TokenCodec): TokenCodec {
  const slots = new Map<string, bigint>();
  return {
    ...codec,
    issue(query, position) {
      const hex = createHash('sha256').update(query).update(String(position)).digest('hex');
      const token = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
      slots.set(`${token} ${query.toString('hex')}`, position);
      return token;
    },
    read: (query, token, ...rest) =>
      slots.get(`${token} ${query.toString('hex')}`) ?? codec.read(query, token, ...rest),
  };
}
