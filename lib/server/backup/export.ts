import { LEDGERS } from '#lib/server/policy/resource-quota/ledger.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { readAt } from '#lib/storage/cache/read-at.ts';
import { parseKey } from '#lib/storage/keys.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import { endLine, headLine, objectLine, sequenceLine } from './line.ts';

/** The options of an export. */
export interface ExportOptions {
  /** Whether to include Secrets, unencrypted. */
  readonly secrets: boolean;
}

/** The current counts of an export. */
export interface ExportTotals {
  objects: number;
  sequences: number;
}

/**
 * Exports every object of a store as lines of JSON, in constant memory. Sequences are exported one after another, each at its version at
 * that time. Counts in `totals`. Throws StoreError, with the code Expired if a sequence takes longer than the log is kept.
 */
export async function* exportLines(
  store: SequenceStore,
  { secrets }: ExportOptions,
  totals: ExportTotals = { objects: 0, sequences: 0 },
): AsyncGenerator<Uint8Array, void> {
  yield headLine(secrets);
  for (const name of (await store.names()).filter(isOfObjects).sort(byRank)) {
    const sequence = store.sequence(name);
    const version = await sequence.head();
    yield sequenceLine(name, version);
    if (!secrets && isOfSecrets(name)) continue; // they may be encrypted with a key that is not available
    totals.sequences++;
    for await (const batch of readAt({ sequence, summarize: summarizeBody, prefix: '', version })) {
      for (const { key, body } of batch) {
        totals.objects++;
        yield objectLine(key, body);
      }
    }
  }
  yield endLine(totals.objects);
}

/** Whether the sequence contains objects. Quota usage counters are omitted, because an import counts again. */
const isOfObjects = (name: string): boolean => name.split('/')[1] !== LEDGERS;

function isOfSecrets(sequence: string): boolean {
  const { group, resource } = parseKey(sequence);
  return group === '' && resource === 'secrets';
}

/** The approximate order from owners to dependents. An import keeps objects in memory if they come before their owner. */
const LATE = [
  'apps/deployments',
  'batch/cronjobs',
  'apps/',
  'batch/',
  '/',
  'discovery.k8s.io/',
  'coordination.k8s.io/',
  '/events',
];

function rank(name: string): number {
  const rest = name.slice(name.indexOf('/') + 1);
  if (rest === 'control') return -2;
  const exact = LATE.indexOf(rest);
  return exact >= 0 ? exact : LATE.findIndex((start) => start.endsWith('/') && rest.startsWith(start));
}

const byRank = (a: string, b: string): number => rank(a) - rank(b) || (a < b ? -1 : 1);
