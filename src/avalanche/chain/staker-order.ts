/*
 * The order in which stakers start and end (avalanchego vms/platformvm/txs/priorities.go, state/staker.go).
 * It decides what each is paid, because every reward depends on the supply that the ones before have left.
 */

/** Ties of time are broken by these; 1 to 6 wait for their start, 7 to 11 stake. */
export const priorities = {
  pendingOldDelegator: 1,
  pendingValidator: 2,
  pendingDelegator: 3,
  pendingSubnetValidator: 4,
  pendingSubnetDelegator: 5,
  pendingPermissioned: 6,
  permissioned: 7,
  subnetDelegator: 8,
  subnetValidator: 9,
  delegator: 10,
  validator: 11,
} as const;

export type Priority = (typeof priorities)[keyof typeof priorities];

const started: Readonly<Record<number, Priority>> = {
  [priorities.pendingOldDelegator]: priorities.delegator,
  [priorities.pendingValidator]: priorities.validator,
  [priorities.pendingDelegator]: priorities.delegator,
  [priorities.pendingSubnetValidator]: priorities.subnetValidator,
  [priorities.pendingSubnetDelegator]: priorities.subnetDelegator,
  [priorities.pendingPermissioned]: priorities.permissioned,
};

/** Priorities of stakers that stake: validators and delegators of each kind. */
export const stakingPriorities = {
  validators: [priorities.permissioned, priorities.subnetValidator, priorities.validator],
  delegators: [priorities.subnetDelegator, priorities.delegator],
} as const;

/** Those that stake or wait for their start. Indexes have these lists in their conditions. */
export const presentPriorities = {
  validators: [
    priorities.pendingValidator,
    priorities.pendingSubnetValidator,
    priorities.pendingPermissioned,
    ...stakingPriorities.validators,
  ],
  delegators: [
    priorities.pendingOldDelegator,
    priorities.pendingDelegator,
    priorities.pendingSubnetDelegator,
    ...stakingPriorities.delegators,
  ],
} as const;

/** The priority that a waiting staker gets when it starts. */
export const startedPriority = (priority: Priority): Priority => started[priority] ?? priority;

export const isPending = (priority: Priority): boolean => priority < priorities.permissioned;

/** Whether it is paid nothing and leaves by itself when its time is over. */
export const isPermissioned = (priority: Priority): boolean =>
  priority === priorities.permissioned || priority === priorities.pendingPermissioned;

export const isDelegator = (priority: Priority): boolean => {
  const now = startedPriority(priority);
  return now === priorities.delegator || now === priorities.subnetDelegator;
};

/** The values that decide the position of a staker. */
export interface Ordered {
  /** When it changes next, Unix seconds: its start while it waits, then its end. */
  readonly nextTime: number;
  readonly priority: Priority;
  /** The bytes of its transaction's id in hexadecimal digits. */
  readonly idHex: string;
}

/** Negative when `a` changes before `b`. */
export function compareStakers(a: Ordered, b: Ordered): number {
  if (a.nextTime !== b.nextTime) return a.nextTime - b.nextTime;
  if (a.priority !== b.priority) return a.priority - b.priority;
  return a.idHex < b.idHex ? -1 : a.idHex > b.idHex ? 1 : 0;
}
