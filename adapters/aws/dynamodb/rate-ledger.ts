import { createHash } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Account, Charge, RateLedger } from '#lib/server/flowcontrol/rate-ledger.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { conflictingItem, faultOf, storeError } from './faults.ts';
import { number, numberAt, text } from './layout.ts';
import type { Item, Table } from './port.ts';
import { TABLE } from './table.ts';

/** The cluster that the identities belong to. */
export interface TableRateLedger {
  readonly clock: Clock;
  /** The logical cluster. */
  readonly cluster: string;
}

/** Time in seconds after which an account without charges is removed. */
const KEPT_SECONDS = 24 * 60 * 60;
/** Maximum attempts for a charge. An attempt fails if the account becomes idle or busy between its read and its write. */
const ATTEMPTS = 4;
const NAMES = { '#busy': 'busy', '#ttl': TABLE.timeToLive };

/**
 * Accounts in the table, one item per identity, keyed by a digest of its name. A charge takes one write. It takes two if the assumed state
 * (idle or busy) of the account was wrong. No call is retried, because the request waits for it.
 */
export function tableRateLedger(table: Table, { clock, cluster }: TableRateLedger): RateLedger {
  /** The account that this process charged last, and when the account stops being busy. */
  let last: { readonly identity: string; readonly busyUntil: number } | undefined;
  return {
    async charge(identity, charge) {
      const Key = {
        [TABLE.partitionKey]: text(`rates/${cluster}/${digest(identity)}`),
        [TABLE.sortKey]: text('account'),
      };
      const now = clock.now();
      let busy = last?.identity === identity && last.busyUntil > now;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const account = await tryCharge(table, Key, { ...charge, now, busy });
        last = { identity, busyUntil: account.busyUntil };
        if (account.charged || account.busyUntil > now + charge.allowance) return account;
        busy = account.busyUntil > now;
      }
      throw new StoreError('Overloaded', 'an account changed too often');
    },
  };
}

const digest = (name: string): string =>
  createHash('sha256').update(name).digest().subarray(0, 12).toString('base64url');

interface Attempt extends Charge {
  readonly now: number;
  /** Whether the caller assumes that the account is busy. */
  readonly busy: boolean;
}

/** Charges an account if it is in the expected state and owes no more than the allowance. Otherwise returns its state. */
async function tryCharge(table: Table, Key: Item, { cost, allowance, now, busy }: Attempt): Promise<Account> {
  const ttl = number(Math.floor(now / 1000) + KEPT_SECONDS);
  try {
    const { Attributes: account = {} } = await table.update({
      Key,
      ExpressionAttributeNames: NAMES,
      ReturnValues: 'UPDATED_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ...(busy
        ? {
            UpdateExpression: 'SET #busy = #busy + :cost, #ttl = :ttl',
            ConditionExpression: '#busy > :now AND #busy <= :full',
            ExpressionAttributeValues: {
              ':cost': number(cost),
              ':ttl': ttl,
              ':now': number(now),
              ':full': number(now + allowance),
            },
          }
        : {
            UpdateExpression: 'SET #busy = :end, #ttl = :ttl',
            ConditionExpression: 'attribute_not_exists(#busy) OR #busy <= :now',
            ExpressionAttributeValues: { ':end': number(now + cost), ':ttl': ttl, ':now': number(now) },
          }),
    });
    return { charged: true, busyUntil: numberAt(account, 'busy') };
  } catch (error) {
    if (faultOf(error) !== 'condition') throw storeError(error);
    const account = conflictingItem(error);
    return { charged: false, busyUntil: account === undefined ? 0 : numberAt(account, 'busy') };
  }
}
