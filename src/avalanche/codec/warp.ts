import { idOf, nodeIdOf, readFrequentId, readId } from './ids.js';
import { readPlainOwners } from './outputs.js';
import { CodecError, type ByteReader } from './reader.js';
import type { L1Message, WarpMessage } from './types.js';

const BIT_SET_SIGNATURE = 0;
const ADDRESSED_CALL = 1;

/**
 * A signed warp message whose payload is an addressed call with a message about an L1, as L1 transactions
 * carry it. The signature is not checked: an accepted transaction's was.
 *
 * @param expected the type of message that the transaction takes
 */
export function readWarpMessage<T extends L1Message['type']>(
  reader: ByteReader,
  expected: T,
): WarpMessage<Extract<L1Message, { type: T }>> {
  const warp = reader.within('warp message');
  warp.version('a warp message');
  const networkId = warp.u32('network id of a warp message');
  const sourceChain = readFrequentId(warp, 'source chain of a warp message');
  const call = warp.within('payload of a warp message');
  if (warp.u32('type of a warp signature') !== BIT_SET_SIGNATURE)
    warp.refuse(`a warp signature of type ${BIT_SET_SIGNATURE}`, 4);
  warp.sized('signers of a warp message');
  warp.take(96, 'signature of a warp message');
  warp.end('the warp message');
  call.version('a warp payload');
  if (call.u32('type of a warp payload') !== ADDRESSED_CALL)
    call.refuse(`an addressed call (type ${ADDRESSED_CALL})`, 4);
  const sourceAddress = call.sized('source address of a warp message');
  const start = call.offset + 4;
  const message = readL1Message(call.within('message about an L1'));
  call.end('the warp payload');
  if (message.type !== expected) throw new CodecError(start, `a ${expected} message, not ${message.type}`);
  return { networkId, sourceChain, sourceAddress, message: message as Extract<L1Message, { type: T }> };
}

function readL1Message(reader: ByteReader): L1Message {
  const start = reader.offset;
  reader.version('a message about an L1');
  const type = reader.u32('type of a message about an L1');
  const read = messages[type];
  if (!read)
    return reader.refuse(`a message about an L1 of type 0 to ${messages.length - 1}, not ${type}`, 4);
  const message = read(reader, start);
  reader.end('the message about an L1');
  return message;
}

/** At the index of their type id. */
const messages: readonly ((reader: ByteReader, start: number) => L1Message)[] = [
  (reader) => ({ type: 'SubnetToL1Conversion', conversionId: readId(reader, 'conversion id') }),
  (reader, start) => {
    const fields = {
      subnetId: readFrequentId(reader, 'subnet id'),
      nodeId: nodeIdOf(reader.sized('node id')),
      blsPublicKey: reader.take(48, 'BLS public key'),
      expiry: reader.u64('expiry of a registration'),
      remainingBalanceOwner: readPlainOwners(reader),
      deactivationOwner: readPlainOwners(reader),
      weight: reader.u64('weight of a validator'),
    };
    const validationId = idOf(reader.bytes.subarray(start, reader.offset));
    return { type: 'RegisterL1Validator', validationId, ...fields };
  },
  (reader) => {
    const validationId = readId(reader, 'validation id');
    const flag = reader.u8('whether it is registered');
    if (flag > 1) reader.refuse('0 or 1 for whether it is registered', 1);
    return { type: 'L1ValidatorRegistration', validationId, registered: flag === 1 };
  },
  (reader) => ({
    type: 'L1ValidatorWeight',
    validationId: readId(reader, 'validation id'),
    nonce: reader.u64('nonce of a weight'),
    weight: reader.u64('weight of a validator'),
  }),
];
