import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException, type AttributeValue } from '@aws-sdk/client-dynamodb';
import type { WatchSlot, WatchSlots } from '#lib/flowcontrol/watch-slots.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { storeError } from './faults.ts';
import { number, text, textAt } from './layout.ts';
import type { Item, Table } from './port.ts';
import { retryingClient } from './retry.ts';
import { TABLE } from './table.ts';

/** The number of slots, and the cluster that they belong to. */
export interface TableWatchSlots {
  readonly clock: Clock;
  readonly count: number;
  /** The logical cluster, whose slots these are. */
  readonly cluster: string;
}

const { partitionKey, sortKey } = TABLE;

/** Slots in the table: one item each while it is taken. Two calls open a watch, one ends it. */
export function tableWatchSlots(plain: Table, options: TableWatchSlots): WatchSlots {
  const table = retryingClient(plain, options.clock);
  return {
    async take(milliseconds) {
      try {
        return await takeOne(table, options, milliseconds);
      } catch (error) {
        throw storeError(error);
      }
    },
  };
}

/** Takes a free slot. If another process takes the chosen one first, it looks again; that other has got on, so this ends. */
async function takeOne(table: Table, options: TableWatchSlots, milliseconds: number): Promise<WatchSlot | undefined> {
  for (;;) {
    const free = await freeSlots(table, options);
    const slot = free[Math.floor(Math.random() * free.length)];
    if (slot === undefined) return undefined;
    const taken = await tryTake(table, options, { slot, milliseconds });
    if (taken !== undefined) return taken;
  }
}

const partition = ({ cluster }: TableWatchSlots) => text(`watch-slots/${cluster}`);

async function freeSlots(table: Table, options: TableWatchSlots): Promise<string[]> {
  const { Items: items = [] } = await table.query({
    KeyConditionExpression: '#pk = :pk',
    FilterExpression: '#until >= :now',
    ExpressionAttributeNames: { '#pk': partitionKey, '#until': 'until' },
    ExpressionAttributeValues: { ':pk': partition(options), ':now': number(options.clock.now()) },
    ConsistentRead: true,
  });
  const taken = new Set(items.map((item) => textAt(item, sortKey)));
  return Array.from({ length: options.count }, (_, i) => String(i)).filter((slot) => !taken.has(slot));
}

async function tryTake(
  table: Table,
  options: TableWatchSlots,
  { slot, milliseconds }: { readonly slot: string; readonly milliseconds: number },
): Promise<WatchSlot | undefined> {
  const key = { [partitionKey]: partition(options), [sortKey]: text(slot) };
  const owner = text(randomUUID());
  const now = options.clock.now();
  try {
    await table.put({
      Item: { ...key, owner, until: number(now + milliseconds) },
      ConditionExpression: 'attribute_not_exists(#pk) OR #until < :now OR #owner = :owner',
      ExpressionAttributeNames: { '#pk': partitionKey, '#until': 'until', '#owner': 'owner' },
      ExpressionAttributeValues: { ':now': number(now), ':owner': owner },
    });
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
  return { release: () => release(table, key, owner) };
}

/** Releases a slot, unless another owner has it by now. */
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
