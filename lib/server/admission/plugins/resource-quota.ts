import { RESOURCE_QUOTAS } from '#lib/api/types/resources.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { unclassified } from '#lib/machinery/errors.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { newUid } from '#lib/machinery/random.ts';
import {
  type Charge,
  chargesOf,
  checkFits,
  type LimitedResource,
  QuotaRefusal,
} from '#lib/server/policy/resource-quota/check.ts';
import type { Write } from '#lib/server/policy/resource-quota/evaluator.ts';
import { evaluatorOf } from '#lib/server/policy/resource-quota/evaluators.ts';
import type { QuotaLedger } from '#lib/server/policy/resource-quota/ledger.ts';
import { type LedgerState, reserve, revert, settle, usedOf } from '#lib/server/policy/resource-quota/ledger-state.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin, Reservation } from '../admission.ts';
import { refusal } from '../refusal.ts';

/** The ports and configuration of ResourceQuota. */
export interface ResourceQuotaPorts {
  readonly lookup: Lookup;
  readonly clock: Clock;
  readonly quotaLedger: QuotaLedger;
  /** Resources that are rejected unless a quota covers them. */
  readonly limited: readonly LimitedResource[];
}

/** Rejects writes that exceed a namespace's quotas. Reserves their usage before they are stored. */
export function resourceQuota(ports: ResourceQuotaPorts): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    operations: ['CREATE', 'UPDATE'],
    async reserve(attributes) {
      try {
        const charges = await chargesFor(ports, attributes);
        return charges.length === 0 ? undefined : await take(ports, attributes, charges);
      } catch (error) {
        if (!(error instanceof QuotaRefusal)) throw error;
        throw error.isForbidden ? refusal(attributes, error.message) : unclassified(error.message);
      }
    },
  };
}

async function chargesFor(ports: ResourceQuotaPorts, attributes: Attributes): Promise<Charge[]> {
  const { lookup, clock, limited } = ports;
  const { namespace, resource, object, oldObject, operation, subresource } = attributes;
  const evaluator = evaluatorOf(resource.group, resource.resource);
  if (namespace === '' || object === undefined || evaluator === undefined) return [];
  const write: Write = { operation, subresource, object, ...defined({ oldObject }) };
  if (!evaluator.handles(write)) return [];
  const quotas = await lookup.list({ ...RESOURCE_QUOTAS, namespace });
  if (quotas.length === 0 && limited.length === 0) return [];
  return chargesOf({ evaluator, write, quotas, limited, now: clock.now() });
}

async function take(
  { quotaLedger, clock }: ResourceQuotaPorts,
  { namespace, operation, object, subresource, dryRun }: Attributes,
  charges: readonly Charge[],
): Promise<Reservation | undefined> {
  const id = newUid();
  const at = clock.now();
  const uid = operation === 'CREATE' && object !== undefined ? uidOf(object) : '';
  const more = new Map(charges.map((charge) => [charge.name, charge.more]));
  await quotaLedger.change(namespace, (state) => {
    for (const charge of charges) checkFits(charge, usedOf(state, charge.name), subresource === 'status');
    return dryRun ? state : reserve(state, id, { at, uid, more });
  });
  if (dryRun) return undefined;
  const end = (how: (state: LedgerState, id: string) => LedgerState): void => {
    // If a reservation cannot be ended now, it expires, like that of a crashed process.
    quotaLedger.change(namespace, (state) => how(state, id)).catch(() => undefined);
  };
  return { settle: () => end(settle), revert: () => end(revert) };
}
