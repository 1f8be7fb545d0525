import type { Answer } from './apis.js';
import { contradiction, Outvoted } from './error.js';

/** The answer that more than half of the endpoints gave; undefined where there is no such. */
export const majorityOf = <T>(
  each: readonly Answer<T>[],
  isSame: (one: T, other: T) => boolean,
): Answer<T> | undefined =>
  each.find(({ value }) => 2 * each.filter((one) => isSame(one.value, value)).length > each.length);

/**
 * Decides what is believed where nothing proves which endpoint is right. What more than half of them say is
 * believed, and the others are set aside. Where there is no such majority, it is asked for again, until they
 * agree.
 */
export class Majority {
  /** Of what endpoints said something different last. */
  private readonly disputed = new Set<string>();

  constructor(
    private readonly nodes: {
      readonly archive: string | null;
      setAside: (endpoint: string, reason: string) => unknown;
    },
  ) {}

  /** Whether something is compared that this source gave: an archive's with any node. */
  isComparable(source: string, endpoints: readonly unknown[]): boolean {
    return endpoints.length > 1 || source === this.nodes.archive;
  }

  isDisputed(key: string): boolean {
    return this.disputed.has(key);
  }

  /**
   * Decides what is believed of an archive: what no node contradicts. It needs no majority.
   *
   * @returns whether an archive gave it
   * @throws Outvoted where a node contradicts it
   */
  decideArchive(
    source: string,
    believed: readonly string[],
    others: readonly Answer<readonly string[]>[],
    difference: (other: Answer<readonly string[]>, at: number) => string,
  ): boolean {
    if (source !== this.nodes.archive) return false;
    const other = others.find(({ value }) => !isSame(value, believed));
    if (!other) return true;
    const text = difference(
      other,
      other.value.findIndex((each, index) => each !== believed[index]),
    );
    this.nodes.setAside(source, text);
    throw new Outvoted(text, other.endpoint);
  }

  /**
   * @param keys what was asked for
   * @param believed what is stored if nothing contradicts it
   * @param each what each endpoint says
   * @param difference what one of them says otherwise at an index, for people
   * @throws NodeError where they contradict each other, and most do not say what is believed
   */
  decide(
    keys: readonly string[],
    believed: readonly string[],
    each: readonly Answer<readonly string[]>[],
    difference: (other: Answer<readonly string[]>, at: number) => string,
  ): void {
    const other = each.find(({ value }) => !isSame(value, believed));
    const isDisputed = keys.some((key) => this.disputed.has(key));
    // The one that gave it does not decide a dispute because the other one does not answer now.
    if (!other && isDisputed && each.length < 2)
      throw contradiction('nodes have contradicted each other, and one of them does not answer now');
    for (const key of keys) this.disputed.delete(key);
    if (!other) return;
    const at = other.value.findIndex((text, index) => text !== believed[index]);
    const text = `${difference(other, at)}: only one of them can be right, and no hash proves which`;
    const most = majorityOf(each, isSame);
    const outvoted = most ? each.filter(({ value }) => !isSame(value, most.value)) : [];
    for (const { endpoint } of outvoted) this.nodes.setAside(endpoint, `${text}; most nodes say otherwise`);
    if (most && isSame(most.value, believed)) return;
    for (const key of keys) this.disputed.add(key);
    if (most) throw new Outvoted(`${text}; most nodes say otherwise`, other.endpoint);
    throw contradiction(`${text}. They are asked again; leave out the wrong one`, other.endpoint);
  }
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.every((text, index) => text === other[index]);
