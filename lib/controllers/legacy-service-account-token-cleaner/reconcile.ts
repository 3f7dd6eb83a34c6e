import type { Secret } from '#lib/api/types/core.v1.ts';
import { CONFIG_MAPS, PODS, SECRETS, SERVICE_ACCOUNTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignore } from '#lib/client/ignore.ts';
import { accountOf, TYPE } from '#lib/controllers/service-account-token/decide.ts';
import type { Clock } from '#lib/machinery/clock.ts';
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

const SYSTEM = 'kube-system';
const TRACKING_REF = { resource: CONFIG_MAPS, namespace: SYSTEM, name: TRACKING };

/**
 * Deletes tokens that old clusters generated for accounts and that were unused for a year: upstream's LegacySATokenCleaner.
 * It also maintains the date since which use is tracked. Keys are `namespace/secret`. The key of the config map has no secret.
 */
export function legacyServiceAccountTokenCleaner(untyped: Client, clock: Clock): Reconciler {
  const client = clientset(untyped);
  return {
    name: 'legacy-service-account-token-cleaner',
    keys,
    async reconcile(key) {
      const [namespace = '', name = ''] = key.split('/');
      const since = await tracked(client, clock.now());
      if (name === '' || since === undefined) return undefined;
      const secret = await client.get({ resource: SECRETS, namespace, name });
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

/** The date since which use is tracked. If the config map has none, writes today and returns undefined. */
async function tracked(client: Clientset, now: number): Promise<string | undefined> {
  const found = await client.get(TRACKING_REF);
  const since = trackedSince(found);
  if (since !== undefined) return since;
  const data = { since: dayOf(now) };
  if (found !== undefined) await client.patch(TRACKING_REF, { data });
  else
    await createInNamespace(client, TRACKING_REF.resource, { metadata: { name: TRACKING, namespace: SYSTEM }, data });
  return undefined;
}

async function clean(client: Clientset, namespace: string, secret: Secret, now: number): Promise<void> {
  const account = await client.get({ resource: SERVICE_ACCOUNTS, namespace, name: accountOf(secret) });
  if (!isLeftOver(secret, account, await client.list(PODS, { namespace }))) return;
  const ref = { resource: SECRETS, namespace, name: nameOf(secret) };
  const step = nextStep(secret, now);
  if (step === 'mark')
    await client.patch(ref, { metadata: { uid: uidOf(secret), labels: { [INVALID_SINCE]: dayOf(now) } } });
  if (step === 'delete')
    await client.delete(ref, { uid: uidOf(secret), resourceVersion: resourceVersionOf(secret) }).catch(unlessChanged);
}

/** Ignores that the secret was used, written or deleted meanwhile. Its change triggers another reconciliation. */
const unlessChanged = ignore('NotFound', 'Conflict');
