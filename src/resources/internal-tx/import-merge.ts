import { FrameOrder } from './import-order.js';
import { asParty, likenessOf, sortKeyOf } from './import-row.js';
import type { FrameRecord, ImportFrame, NthAlike, Party } from './import-row.js';

/** A frame with its identity in its transaction: see the model InternalTx. */
export interface PlacedFrame {
  record: FrameRecord;
  /** The position that the source gave; without one, how many frames without one come after it in replies. */
  position: number;
  /** '0' if the source gave the position. */
  sortKey: string;
  /** Row id; null for a new one. */
  id: string | null;
}

/** A frame as it will be, and as it is stored. */
export interface FrameChange {
  now: PlacedFrame;
  before: PlacedFrame | null;
}

/** The frames of a transaction that are alike: those with a position, and those without, in their order. */
interface Alike {
  placed: FrameChange[];
  /** Whether `placed` is sorted by position; it is sorted on demand. */
  isSorted: boolean;
  loose: FrameChange[];
}

/**
 * The frames of one transaction while an import's rows are merged into them. A frame with a position is found
 * by it. One without is the n-th of those alike: first come those with a known position, then the others. So
 * a row with a position can give it to a frame that was stored without one, and a row without finds the frame
 * that has one.
 */
export class FramesOfTransaction {
  private readonly byPosition = new Map<number, FrameChange>();
  private readonly byLikeness = new Map<string, Alike>();
  private readonly order: FrameOrder;
  /** Frames that turned out to be others, and are stored too. */
  readonly gone: PlacedFrame[] = [];

  /** @param stored by falling position, then by age */
  constructor(stored: readonly PlacedFrame[]) {
    this.order = new FrameOrder(stored.flatMap((frame) => this.hold(frame) ?? []));
  }

  /** All frames, each as it will be. */
  get changes(): FrameChange[] {
    this.order.number();
    return [...this.byLikeness.values()].flatMap(({ placed, loose }) => [...placed, ...loose]);
  }

  take(frame: ImportFrame): void {
    const { record, position } = frame;
    const known = position === null ? this.nth(frame) : this.byPosition.get(position);
    if (known) this.change(known, record);
    if (position === null) this.putInOrder(known, frame);
    else if (!known) this.put(position, frame);
  }

  /** A frame without a position comes after the one before it in the file. */
  private putInOrder(known: FrameChange | undefined, { record, likeness, after, rowId }: ImportFrame): void {
    const before = after === null ? undefined : this.nth(after);
    const previous = before && isLoose(before) ? before : undefined;
    if (known) {
      if (isLoose(known)) this.order.follow(known, previous);
      return;
    }
    const frame = added(record, 0, sortKeyOf(record), rowId);
    this.alike(likeness).loose.push(frame);
    this.order.add(frame, previous);
  }

  /**
   * Older versions used names as a part of a frame's identity: then rows of one position are one frame.
   *
   * @returns the frame, if it is another one without a position
   */
  private hold(frame: PlacedFrame): FrameChange | null {
    const change: FrameChange = { now: { ...frame }, before: frame };
    const { placed, loose } = this.alike(likenessOf(frame.record));
    if (!isLoose(change)) {
      placed.push(change);
      this.byPosition.set(frame.position, change);
      return null;
    }
    const last = loose.at(-1);
    if (last?.now.position !== frame.position) {
      loose.push(change);
      return change;
    }
    last.now.record = mergeFrame(last.now.record, frame.record);
    this.gone.push(frame);
    return null;
  }

  /** A frame whose position no row has given yet. */
  private put(position: number, { record, likeness, ordinal, rowId }: ImportFrame): void {
    const alike = this.alike(likeness);
    const isStored = ordinal < alike.placed.length + alike.loose.length;
    const loose = isStored ? alike.loose.pop() : undefined;
    if (loose) this.order.remove(loose);
    const change = loose ?? added(record, position, '0', rowId);
    change.now = { ...change.now, record: mergeFrame(change.now.record, record), position, sortKey: '0' };
    this.byPosition.set(position, change);
    addPlaced(alike, change);
  }

  /** A frame with a position may turn out to be another one than earlier rows said. */
  private change(change: FrameChange, record: FrameRecord): void {
    const [before, after] = [change.now.record, record].map(likenessOf) as [string, string];
    change.now.record = mergeFrame(change.now.record, record);
    if (before === after) return;
    const former = this.alike(before);
    former.placed = former.placed.filter((each) => each !== change);
    addPlaced(this.alike(after), change);
  }

  private alike(likeness: string): Alike {
    let alike = this.byLikeness.get(likeness);
    if (!alike) this.byLikeness.set(likeness, (alike = { placed: [], isSorted: false, loose: [] }));
    return alike;
  }

  private nth({ likeness, ordinal }: NthAlike): FrameChange | undefined {
    const alike = this.alike(likeness);
    if (!alike.isSorted) alike.placed.sort((a, b) => a.now.position - b.now.position);
    alike.isSorted = true;
    return alike.placed[ordinal] ?? alike.loose[ordinal - alike.placed.length];
  }
}

const isLoose = ({ now }: FrameChange) => now.sortKey !== '0';

function addPlaced(alike: Alike, change: FrameChange): void {
  alike.placed.push(change);
  alike.isSorted = false;
}

const added = (record: FrameRecord, position: number, sortKey: string, id: string | null): FrameChange => ({
  now: { record, position, sortKey, id },
  before: null,
});

/** The newer row counts, except for names that it does not know. */
function mergeFrame(older: FrameRecord, newer: FrameRecord): FrameRecord {
  return { ...newer, from: mergeParty(older.from, newer.from), to: mergeParty(older.to, newer.to) };
}

function mergeParty(older: Party, newer: Party): Party {
  if (older === newer || older.address !== newer.address) return newer;
  return asParty({ ...older, ...newer }, '');
}
