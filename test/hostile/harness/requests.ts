import { bodyRequest } from './body-requests.js';
import { framingRequest } from './framing-requests.js';
import { headerRequest } from './header-requests.js';
import type { Input } from './input.js';
import { parameterRequest } from './parameter-requests.js';
import { pathRequest } from './path-requests.js';
import type { Random } from './random.js';
import { rightRequest } from './right-requests.js';
import type { Supplies } from './supplies.js';

/** Anything that may arrive at the REST door, right or wrong. */
export function anyRequest(random: Random, supplies: Supplies): Input {
  return random.weighted([
    [28, rightRequest],
    [28, parameterRequest],
    [12, pathRequest],
    [10, headerRequest],
    [10, bodyRequest],
    [12, framingRequest],
  ])(random, supplies);
}
