import { accountOf, TYPE } from '#lib/controllers/service-account-token/decide.ts';
import type { Client } from '#lib/client/client.ts';
import { ignore } from '#lib/client/ignore.ts';
import type { ObjectChange, Reconciler } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { createInNamespace } from '../create-in-namespace.ts';
import {
  DAY,
  dayOf,
  INVALID_SINCE,
  isIdle,
  isLeftOver,
  isTrackedForLong,
  nextStep,
  TRACKING,
  trackedSince,
} from './decide.ts';

const core = (resource: string) => ({ group: '', version: 'v1', resource });
const SYSTEM = 'kube-system';
const TRACKING_REF = { resource: core('configmaps'), namespace: SYSTEM, name: TRACKING };

/**
 * Ends tokens that clusters of old made for their accounts and nobody has used for a year: upstream's
 * LegacySATokenCleaner, and the day since when use is tracked. Keys are `namespace/secret`; that of the config map has no secret.
 */
export function legacyServiceAccountTokenCleaner(client: Client, clock: Clock): Reconciler {
  return {
    name: 'legacy-service-account-token-cleaner',
    keys,
    async reconcile(key) {
      const [namespace = '', name = ''] = key.split('/');
      const since = await tracked(client, clock.now());
      if (name === '' || since === undefined) return undefined;
      const secret = await client.get({ resource: core('secrets'), namespace, name });
      if (secret === undefined) return undefined;
      if (isTrackedForLong(since, clock.now()) && isIdle(secret, clock.now()))
        await clean(client, namespace, secret, clock.now());
      return { requeueAfter: DAY };
    },
  };
}

function keys({ type, group, resource, namespace, name, mentions }: ObjectChange): readonly string[] {
  if (group !== '') return [];
  if (resource === 'configmaps') return namespace === SYSTEM && name === TRACKING ? [`${SYSTEM}/`] : [];
  if (resource === 'namespaces') return name === SYSTEM && type !== 'DELETED' ? [`${SYSTEM}/`] : [];
  return resource === 'secrets' && type !== 'DELETED' && mentions(TYPE) ? [`${namespace}/${name}`] : [];
}

/** The day since when use is tracked: today, where nothing says another. */
async function tracked(client: Client, now: number): Promise<string | undefined> {
  const found = await client.get(TRACKING_REF);
  const since = trackedSince(found);
  if (since !== undefined) return since;
  const data = { since: dayOf(now) };
  if (found !== undefined) await client.patch(TRACKING_REF, { data });
  else
    await createInNamespace(client, TRACKING_REF.resource, { metadata: { name: TRACKING, namespace: SYSTEM }, data });
  return undefined;
}

async function clean(client: Client, namespace: string, secret: JsonObject, now: number): Promise<void> {
  const account = await client.get({ resource: core('serviceaccounts'), namespace, name: accountOf(secret) });
  if (!isLeftOver(secret, account, await client.list(core('pods'), { namespace }))) return;
  const ref = { resource: core('secrets'), namespace, name: nameOf(secret) };
  const step = nextStep(secret, now);
  if (step === 'mark')
    await client.patch(ref, { metadata: { uid: uidOf(secret), labels: { [INVALID_SINCE]: dayOf(now) } } });
  if (step === 'delete')
    await client.delete(ref, { uid: uidOf(secret), resourceVersion: resourceVersionOf(secret) }).catch(unlessChanged);
}

/** One that is used, or written, meanwhile is looked at again. */
const unlessChanged = ignore('NotFound', 'Conflict');
