import { L1Validators } from './l1-validators.js';
import { l1Descriptions, type L1 } from './l1s.js';
import type { Ledger } from './ledger.js';
import type { Owners } from './owners.js';
import type { Random } from './random.js';
import { Subnets } from './subnets.js';

/**
 * The history of the sample's subnets, one transaction after the other: each `next()` makes one, as long as
 * there are more. `l1s` fills as they are converted.
 */
export function l1Story(ledger: Ledger, owners: Owners, random: Random) {
  const l1s: L1[] = [];
  const subnets = new Subnets(ledger, owners, random);
  const validators = new L1Validators(ledger, owners, random);

  function* tell(): Generator<void> {
    const elastic = subnets.create();
    yield;
    for (const number of [0, 1, 2]) yield subnets.addValidator(elastic, number);
    yield subnets.createTimestampChain(elastic);
    yield subnets.removeValidator(elastic, 1);
    yield subnets.transform(elastic);
    for (const [index, description] of l1Descriptions.entries()) {
      const subnetId = subnets.create();
      yield;
      yield subnets.addValidator(subnetId, index);
      yield subnets.transfer(subnetId);
      const blockchainId = subnets.createEvmChain(subnetId, description, index === 0);
      yield;
      const l1 = { ...description, subnetId, blockchainId, since: ledger.now };
      while (!validators.convert(l1)) yield;
      yield void l1s.push({ ...l1, since: ledger.now });
      yield validators.register(l1);
      yield validators.increaseBalance();
      yield validators.setWeight();
    }
    for (;;) {
      yield validators.register(random.pick(l1s));
      yield validators.increaseBalance();
      yield validators.disable();
      yield validators.setWeight();
      yield validators.register(random.pick(l1s));
      yield validators.remove();
    }
  }
  return { l1s, subnets, validators, chapters: tell() };
}
