import type { Client } from '#lib/client/client.ts';
import { discover, preferred } from '#lib/client/discovery.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/controller/reconciler.ts';
import { requeueAfter } from '#lib/controller/requeue-after.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { equal, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { newUid } from '#lib/machinery/random.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { Evaluator } from '#lib/policy/resource-quota/evaluator.ts';
import {
  beginCount,
  EMPTY,
  encodeLedger,
  endCount,
  RESERVATION_LIFETIME,
  usedOf,
  type LedgerState,
} from '#lib/policy/resource-quota/ledger-state.ts';
import type { QuotaLedger } from '#lib/policy/resource-quota/ledger.ts';
import { usageAt, type Usage } from '#lib/component-helpers/resource/resource-list.ts';
import {
  CHANGING,
  evaluatorsFor,
  hardOf,
  isUncounted,
  LimitedNames,
  nextEndOfGrace,
  uidsOf,
  usedOfQuota,
  withStatus,
  type Listed,
} from './decide.ts';

const QUOTAS: GroupVersionResource = { group: '', version: 'v1', resource: 'resourcequotas' };
/** Milliseconds for which reservations gather before the status tells of them. */
const GATHER = 50;
/** Milliseconds behind a count that had company, or was a quota's first: writes that began before it were not counted. */
const COUNT_AGAIN = 1000;
/** Milliseconds until what was not served is looked for again. */
const LIST_AGAIN = 30_000;

interface Ports {
  readonly client: Client;
  readonly ledger: QuotaLedger;
  readonly clock: Clock;
}

/**
 * Counts what is used of quotas and shows it in their status: upstream's resource quota controller. Keys are `count/` and
 * `publish/` with a namespace: what objects really use, or what writes reserved since.
 */
export function resourceQuotaController(client: Client, ledger: QuotaLedger, clock: Clock): Reconciler {
  const limited = new LimitedNames();
  const ports: Ports = { client, ledger, clock };
  return {
    name: 'resource-quota',
    keys: (change) => (isQuota(change) ? keysOfQuota(change, limited) : keysOfObject(change, limited)),
    subscribe: (add) => ledger.onChange((namespace) => add(`publish/${namespace}`)),
    reconcile(key) {
      const [what, namespace = ''] = key.split('/');
      return what === 'count' ? count(ports, namespace) : publishReserved(ports, namespace);
    },
  };
}

const isQuota = ({ group, resource }: ObjectChange): boolean => group === '' && resource === 'resourcequotas';

function keysOfQuota(change: ObjectChange, limited: LimitedNames): readonly string[] {
  const { type, namespace, name } = change;
  const key = `count/${namespace}`;
  if (type === 'DELETED') limited.delete(namespace, name);
  else limited.set(namespace, change.object());
  return type === 'MODIFIED' && !isUncounted(change.object()) ? keysOfObject(change, limited) : [key];
}

function keysOfObject({ type, group, resource, namespace }: ObjectChange, limited: LimitedNames): readonly string[] {
  if (namespace === '' || type === 'ADDED' || (type === 'MODIFIED' && !CHANGING.includes(resource))) return [];
  return limited.counts(namespace, group, resource) ? [`count/${namespace}`] : [];
}

async function count(ports: Ports, namespace: string): Promise<Result> {
  const { client, ledger } = ports;
  const quotas = await client.list(QUOTAS, { namespace });
  if (quotas.length === 0) return forget(ledger, namespace);
  const counted =
    (await countInQuiet(ports, namespace, quotas)) ?? (await countBesideWriters(ports, namespace, quotas));
  for (const quota of quotas) await publish(client, quota, hardOf(quota), counted.state);
  if (!counted.isExact || quotas.some(isUncounted)) return { requeueAfter: COUNT_AGAIN };
  return nextLook(counted);
}

interface Counted extends Found {
  readonly state: LedgerState;
  readonly isExact: boolean;
}

/** Where nobody writes meanwhile, which the ledger shows: writes only what differs. Undefined where somebody did. */
async function countInQuiet(
  { client, ledger, clock }: Ports,
  namespace: string,
  quotas: readonly JsonObject[],
): Promise<Counted | undefined> {
  const before = await ledger.read(namespace);
  if (before.open.size > 0) return undefined;
  const found = await find({ client, clock }, namespace, quotas);
  let isQuiet = false;
  const state = await ledger.change(namespace, (now) => {
    isQuiet = sameState(now, before);
    const next: LedgerState = { ...EMPTY, counted: found.used };
    return !isQuiet || sameState(now, next) ? now : next;
  });
  return isQuiet ? { ...found, state, isExact: true } : undefined;
}

const sameState = (a: LedgerState, b: LedgerState): boolean => equal(encodeLedger(a), encodeLedger(b));

async function countBesideWriters(
  { client, ledger, clock }: Ports,
  namespace: string,
  quotas: readonly JsonObject[],
): Promise<Counted> {
  const mark = newUid();
  await ledger.change(namespace, (state) => beginCount(state, mark));
  const found = await find({ client, clock }, namespace, quotas);
  const seen = uidsOf(found.listed);
  let isExact = false;
  const state = await ledger.change(namespace, (before) => {
    const ended = endCount(before, { ...found, mark, saw: (uid) => seen.has(uid) });
    isExact = ended?.isExact ?? false;
    return ended?.state ?? before;
  });
  return { ...found, state, isExact };
}

interface Found {
  readonly listed: readonly Listed[];
  /** Of each quota. */
  readonly used: ReadonlyMap<string, Usage>;
  readonly now: number;
  /** Whether some of what is limited is not served. */
  readonly isPartial: boolean;
}

async function find(
  { client, clock }: Pick<Ports, 'client' | 'clock'>,
  namespace: string,
  quotas: readonly JsonObject[],
): Promise<Found> {
  const evaluators = evaluatorsFor(quotas.flatMap((quota) => [...hardOf(quota).keys()]));
  const listed = await listAll(client, namespace, evaluators);
  const now = clock.now();
  const used = new Map(quotas.map((quota) => [nameOf(quota), usedOfQuota(quota, listed, now)]));
  return { listed, used, now, isPartial: listed.length < evaluators.length };
}

/** When time alone may change what is used. */
function nextLook({ state, listed, now, isPartial }: Counted): Result {
  const grace = nextEndOfGrace(listed, now);
  const times = [
    ...(state.open.size > 0 ? [RESERVATION_LIFETIME] : []),
    ...(grace === undefined ? [] : [grace - now + 1000]),
    ...(isPartial ? [LIST_AGAIN] : []),
  ];
  return requeueAfter(...times);
}

async function forget(ledger: QuotaLedger, namespace: string): Promise<Result> {
  await ledger.change(namespace, (state) => (state.counted.size + state.open.size === 0 ? state : EMPTY));
  return undefined;
}

async function publishReserved({ client, ledger, clock }: Ports, namespace: string): Promise<Result> {
  await clock.sleep(GATHER);
  const quotas = await client.list(QUOTAS, { namespace });
  const state = await ledger.read(namespace);
  for (const quota of quotas) {
    const status = objectAt(quota, 'status');
    if (objectAt(status, 'hard') !== undefined) await publish(client, quota, usageAt(status, 'hard'), state);
  }
  return undefined;
}

async function publish(client: Client, quota: JsonObject, hard: Usage, state: LedgerState): Promise<void> {
  const used = usedOf(state, nameOf(quota));
  const next = used === undefined ? undefined : withStatus(quota, hard, used);
  if (next === undefined) return;
  const namespace = String(objectAt(quota, 'metadata')?.['namespace']);
  await client.update({ resource: QUOTAS, namespace, name: nameOf(quota) }, next, 'status');
}

/** What is not served is left out. */
async function listAll(client: Client, namespace: string, evaluators: readonly Evaluator[]): Promise<Listed[]> {
  const served = preferred((await discover(client)).filter(({ namespaced, verbs }) => namespaced && verbs.has('list')));
  const listed: Listed[] = [];
  for (const evaluator of evaluators) {
    const found = served.find(
      ({ resource: { group, resource } }) => group === evaluator.group && resource === evaluator.resource,
    );
    if (found !== undefined) listed.push({ evaluator, objects: await client.list(found.resource, { namespace }) });
  }
  return listed;
}
