import { randomBytes } from 'node:crypto';
import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { Clock } from '#lib/machinery/clock.ts';
import { claimSlot, type HeldSlot, type SlotClaim } from '#lib/server/flowcontrol/watch-share.ts';
import { EXEMPT, type SlotAsker, type WatchSlot, type WatchSlots } from '#lib/server/flowcontrol/watch-slots.ts';
import { storeError } from './faults.ts';
import { number, numberAt, text, textAt } from './layout.ts';
import type { Item, Table } from './port.ts';
import { retryingClient } from './retry.ts';
import { TABLE } from './table.ts';

/** The number of slots and their cluster. */
export interface TableWatchSlots {
  readonly clock: Clock;
  readonly count: number;
  /** The logical cluster that owns the slots. */
  readonly cluster: string;
}

const { partitionKey, sortKey } = TABLE;
const NAMES = { '#pk': partitionKey, '#until': 'until', '#owner': 'owner' };
const OWNER_BYTES = 12;

/**
 * Slots in the table, one item per used slot. Opening a watch takes two calls, and ending it takes one. Each check of an open watch is one
 * eventually consistent read.
 */
export function tableWatchSlots(plain: Table, options: TableWatchSlots): WatchSlots {
  const table = retryingClient(plain, options.clock);
  return {
    async take(asker) {
      try {
        return await takeOne(table, options, asker);
      } catch (error) {
        throw storeError(error);
      }
    },
  };
}

/** A slot that a watch holds, with the owner in its item. */
interface Held extends HeldSlot {
  readonly owner: string;
}

/**
 * Takes a slot. If another process takes the selected slot first, the search starts again. The loop ends, because in each round another
 * process makes progress.
 */
async function takeOne(table: Table, options: TableWatchSlots, asker: SlotAsker): Promise<WatchSlot | undefined> {
  for (;;) {
    const held = await heldSlots(table, options);
    const claim = claimSlot({ held, count: options.count, now: options.clock.now() }, asker, Math.random());
    if (claim === undefined) return undefined;
    const taken = await tryTake(table, options, { asker, claim });
    if (taken !== undefined) return taken;
  }
}

const partition = ({ cluster }: TableWatchSlots) => text(`watch-slots/${cluster}`);

async function heldSlots(table: Table, options: TableWatchSlots): Promise<Held[]> {
  const { Items: items = [] } = await table.query({
    KeyConditionExpression: '#pk = :pk',
    FilterExpression: '#until >= :now',
    ExpressionAttributeNames: { '#pk': partitionKey, '#until': 'until' },
    ExpressionAttributeValues: { ':pk': partition(options), ':now': number(options.clock.now()) },
    ConsistentRead: true,
  });
  return items.map(heldBy);
}

/** The owner of an item. An item of the previous release has no user. It counts as exempt, so no other watch takes its slot. */
const heldBy = (item: Item): Held => ({
  slot: Number(textAt(item, sortKey)),
  owner: textAt(item, 'owner'),
  holder: item['user']?.S ?? EXEMPT,
  watch: item['watch']?.S ?? '',
  since: item['since'] === undefined ? 0 : numberAt(item, 'since'),
  succeeds: item['over']?.BOOL === true,
});

interface Taking {
  readonly asker: SlotAsker;
  readonly claim: SlotClaim<Held>;
}

async function tryTake(
  table: Table,
  options: TableWatchSlots,
  { asker, claim: { slot, from } }: Taking,
): Promise<WatchSlot | undefined> {
  const key = { [partitionKey]: partition(options), [sortKey]: text(String(slot)) };
  const owner = text(randomBytes(OWNER_BYTES).toString('base64url'));
  const now = options.clock.now();
  const taken = {
    owner,
    user: text(asker.holder),
    watch: text(asker.watch),
    since: number(now),
    until: number(now + asker.milliseconds),
    ...(from === undefined ? {} : { over: { BOOL: true } }),
  };
  const former = from === undefined ? {} : { ':former': text(from.owner) };
  try {
    await table.put({
      Item: { ...key, ...taken },
      // The last condition holds if this put succeeded before, its response was lost, and it is repeated.
      ConditionExpression: `attribute_not_exists(#pk) OR #until < :now OR #owner = ${from === undefined ? '' : ':former OR #owner = '}:owner`,
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: { ':now': number(now), ':owner': owner, ...former },
    });
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
  return { isHeld: () => isHeld(table, key, owner), release: () => release(table, key, owner) };
}

/** Whether the watch still holds the slot. If a stale read hides the slot's new owner, the next check finds it. */
async function isHeld(table: Table, Key: Item, { S: owner }: AttributeValue): Promise<boolean> {
  const { Item: item } = await table.get({
    Key,
    ProjectionExpression: '#owner',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ConsistentRead: false,
  });
  return item?.['owner']?.S === owner;
}

/** Releases a slot unless it has another owner by now. */
async function release(table: Table, Key: Item, owner: AttributeValue): Promise<void> {
  try {
    await table.delete({
      Key,
      ConditionExpression: '#owner = :owner',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':owner': owner },
    });
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw storeError(error);
  }
}
