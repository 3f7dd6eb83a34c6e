import { EXEMPT, SLOT_LOOK, type SlotAsker } from './watch-slots.ts';

/** A slot that a watch currently holds. */
export interface HeldSlot {
  readonly slot: number;
  /** The holder and the watch, as in SlotAsker. */
  readonly holder: string;
  readonly watch: string;
  /** When the watch took the slot, in ms since 1970. */
  readonly since: number;
  /** Whether the slot was taken from another watch, which may stay open until its next check. */
  readonly succeeds: boolean;
}

/** The current state of the slots. */
export interface SlotState<Held extends HeldSlot> {
  readonly held: readonly Held[];
  readonly count: number;
  /** The current time in ms since 1970. */
  readonly now: number;
}

/** The slot to take, and the watch that holds it. */
export interface SlotClaim<Held extends HeldSlot> {
  readonly slot: number;
  readonly from?: Held;
}

/** The time in ms after which a watch has noticed the loss of its slot, so that the slot may be taken again. */
const SETTLED = SLOT_LOOK + 10_000;
/** The maximum share of slots whose previous watches may still be open. */
const LINGERING = 1 / 3;
/** The share of such slots up to which users may take over their own slots. The rest of LINGERING is for users below their fair share. */
const OWN = LINGERING / 2;

/**
 * Max-min fairness. A user may hold every slot that no other user needs. If no slot is free, a watch takes the slot that the same client
 * holds for the same watch. Otherwise it takes one from the user with the most slots, if that user then still has at least as many as the
 * asker. `random` in [0, 1) chooses among free slots.
 */
export function claimSlot<Held extends HeldSlot>(
  { held, count, now }: SlotState<Held>,
  { holder, watch }: Pick<SlotAsker, 'holder' | 'watch'>,
  random: number,
): SlotClaim<Held> | undefined {
  const taken = new Set(held.map(({ slot }) => slot));
  const free = Array.from({ length: count }, (_, slot) => slot).filter((slot) => !taken.has(slot));
  const slot = free[Math.floor(random * free.length)];
  if (slot !== undefined) return { slot };
  const isSettled = ({ since }: HeldSlot): boolean => now - since >= SETTLED;
  const lingering = held.filter((one) => one.succeeds && !isSettled(one)).length;
  if (lingering >= count * LINGERING) return undefined;
  const own = held.filter((one) => one.holder === holder && one.watch === watch && isSettled(one));
  const from = lingering < count * OWN ? oldest(own) : undefined;
  return claimOf(from ?? oldest(slotsOfLargest(held, holder).filter(isSettled)));
}

const claimOf = <Held extends HeldSlot>(from: Held | undefined): SlotClaim<Held> | undefined =>
  from && { slot: from.slot, from };

const oldest = <Held extends HeldSlot>(slots: readonly Held[]): Held | undefined =>
  slots.toSorted((a, b) => a.since - b.since)[0];

/** The slots of the user with the most slots, if that user has at least two more than the asker. */
function slotsOfLargest<Held extends HeldSlot>(held: readonly Held[], asker: string): readonly Held[] {
  const users = Map.groupBy(held, ({ holder }) => holder);
  users.delete(EXEMPT);
  const own = users.get(asker)?.length ?? 0;
  const largest = [...users.values()].reduce<readonly Held[]>(
    (most, one) => (one.length > most.length ? one : most),
    [],
  );
  return largest.length >= own + 2 ? largest : [];
}
