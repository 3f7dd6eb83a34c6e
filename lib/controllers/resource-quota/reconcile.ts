import { typedObject } from '#lib/api/typed.ts';
import type { ResourceQuota } from '#lib/api/types/core.v1.ts';
import { RESOURCE_QUOTAS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { requeueAfter } from '#lib/client/controller/requeue-after.ts';
import { discover, preferred } from '#lib/client/discovery.ts';
import { type Usage, usageOf } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { newUid } from '#lib/machinery/random.ts';
import type { Evaluator } from '#lib/server/policy/resource-quota/evaluator.ts';
import type { QuotaLedger } from '#lib/server/policy/resource-quota/ledger.ts';
import {
  beginCount,
  EMPTY,
  encodeLedger,
  endCount,
  type LedgerState,
  RESERVATION_LIFETIME,
  usedOf,
} from '#lib/server/policy/resource-quota/ledger-state.ts';
import {
  CHANGING,
  evaluatorsFor,
  hardOf,
  isUncounted,
  LimitedNames,
  type Listed,
  nextEndOfGrace,
  uidsOf,
  usedOfQuota,
  withStatus,
} from './decide.ts';

/** The time in ms for which reservations are batched before the status shows them. */
const GATHER = 50;
/**
 * The delay in ms before another count. One is necessary after the first count of a quota, and after a count with concurrent writes,
 * because writes that began earlier were not counted.
 */
const COUNT_AGAIN = 1000;
/** The delay in ms after which resources that were not served are listed again. */
const LIST_AGAIN = 30_000;

interface Ports {
  readonly client: Clientset;
  readonly ledger: QuotaLedger;
  readonly clock: Clock;
}

/**
 * Counts the usage of quotas and publishes it in their status: upstream's resource quota controller. The key `count/NAMESPACE` counts the
 * objects of a namespace, and `publish/NAMESPACE` adds the reservations of later writes.
 */
export function resourceQuotaController(client: Client, ledger: QuotaLedger, clock: Clock): Reconciler {
  const limited = new LimitedNames();
  const ports: Ports = { client: clientset(client), ledger, clock };
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
  const quota = typedObject(RESOURCE_QUOTAS, change.object());
  if (type !== 'DELETED') limited.set(namespace, quota);
  return type === 'MODIFIED' && !isUncounted(quota) ? keysOfObject(change, limited) : [key];
}

function keysOfObject({ type, group, resource, namespace }: ObjectChange, limited: LimitedNames): readonly string[] {
  if (namespace === '' || type === 'ADDED' || (type === 'MODIFIED' && !CHANGING.includes(resource))) return [];
  return limited.counts(namespace, group, resource) ? [`count/${namespace}`] : [];
}

async function count(ports: Ports, namespace: string): Promise<Result> {
  const { client, ledger } = ports;
  const quotas = await client.list(RESOURCE_QUOTAS, { namespace });
  if (quotas.length === 0) return forget(ledger, namespace);
  const counted =
    (await countInQuiet(ports, namespace, quotas)) ?? (await countBesideWriters(ports, namespace, quotas));
  for (const quota of quotas) await publish(client, quota, hardOf(quota), counted.state);
  if (!counted.isExact || quotas.some(isUncounted)) return { requeueAfter: COUNT_AGAIN };
  return nextLook(counted);
}

interface Counted extends QuotaUsage {
  readonly state: LedgerState;
  readonly isExact: boolean;
}

/** Counts while no object is being written, and writes only differences. Undefined if the ledger shows a concurrent write. */
async function countInQuiet(
  { client, ledger, clock }: Ports,
  namespace: string,
  quotas: readonly ResourceQuota[],
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
  quotas: readonly ResourceQuota[],
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

interface QuotaUsage {
  readonly listed: readonly Listed[];
  /** The usage of each quota, by its name. */
  readonly used: ReadonlyMap<string, Usage>;
  readonly now: number;
  /** Whether a limited resource is not served. */
  readonly isPartial: boolean;
}

async function find(
  { client, clock }: Pick<Ports, 'client' | 'clock'>,
  namespace: string,
  quotas: readonly ResourceQuota[],
): Promise<QuotaUsage> {
  const evaluators = evaluatorsFor(quotas.flatMap((quota) => [...hardOf(quota).keys()]));
  const listed = await listAll(client, namespace, evaluators);
  const now = clock.now();
  const used = new Map(quotas.map((quota) => [nameOf(quota), usedOfQuota(quota, listed, now)]));
  return { listed, used, now, isPartial: listed.length < evaluators.length };
}

/** The next time at which the usage may change by itself. */
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
  const quotas = await client.list(RESOURCE_QUOTAS, { namespace });
  const state = await ledger.read(namespace);
  for (const quota of quotas) {
    const { hard } = quota.status;
    if (hard !== undefined) await publish(client, quota, usageOf(hard), state);
  }
  return undefined;
}

async function publish(client: Clientset, quota: ResourceQuota, hard: Usage, state: LedgerState): Promise<void> {
  const used = usedOf(state, nameOf(quota));
  const next = used === undefined ? undefined : withStatus(quota, hard, used);
  if (next === undefined) return;
  const ref = { resource: RESOURCE_QUOTAS, namespace: namespaceOf(quota), name: nameOf(quota) };
  await client.update(ref, next, 'status');
}

/** Lists the objects of all evaluators. Resources that are not served are omitted. */
async function listAll(client: Clientset, namespace: string, evaluators: readonly Evaluator[]): Promise<Listed[]> {
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
