import type { Party } from '../src/resources/internal-tx/import-row.js';
import { evmAddressOf } from './ids.js';
import type { Random } from './random.js';

/** A token of the fuji C-chain. */
export interface Token extends Party {
  name: string;
  symbol: string;
  decimals: number;
}

export const wrappedAvax: Token = {
  name: 'Wrapped Sample AVAX',
  symbol: 'WSAVAX',
  decimals: 18,
  logoUri: 'https://tokens.example/wsavax.png',
  address: evmAddressOf('token wrapped avax'),
};

export const stablecoin: Token = {
  name: 'Sample Dollar',
  symbol: 'SUSD',
  decimals: 6,
  address: evmAddressOf('token dollar'),
};

/** The address with the most internal transactions. */
export const router: Party = { address: evmAddressOf('router') };

const EOAS = 80;

export function account(number: number): Party {
  return { address: evmAddressOf(`account ${number}`) };
}

export function pickAccount(random: Random): Party {
  return account(random.int(0, EOAS - 1));
}

export function pickContract(random: Random): Party {
  if (random.chance(0.35)) return router;
  return random.chance(0.4)
    ? random.pick([wrappedAvax, stablecoin])
    : { address: evmAddressOf(`contract ${random.int(0, 24)}`) };
}
