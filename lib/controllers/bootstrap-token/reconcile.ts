import type { ConfigMap } from '#lib/api/types/core.v1.ts';
import { CONFIG_MAPS, SECRETS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset, type RefOf } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { requeueAfter } from '#lib/client/controller/requeue-after.ts';
import { ignore } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { isToken, lifeOf, signedData, TYPE } from './decide.ts';

const SYSTEM = 'kube-system';
const INFO: RefOf<ConfigMap> = { resource: CONFIG_MAPS, namespace: 'kube-public', name: 'cluster-info' };

const isTokenChange = ({ group, resource, namespace, mentions }: ObjectChange): boolean =>
  group === '' && resource === 'secrets' && namespace === SYSTEM && mentions(TYPE);

/** Signs `cluster-info` with each bootstrap token that may sign: upstream's bootstrap signer. Expired tokens do not sign. */
export function bootstrapSigner(untyped: Client, clock: Clock): Reconciler {
  const client = clientset(untyped);
  const isInfo = ({ group, resource, namespace, name, type }: ObjectChange): boolean =>
    type !== 'DELETED' &&
    group === '' &&
    resource === INFO.resource.resource &&
    namespace === INFO.namespace &&
    name === INFO.name;
  return {
    name: 'bootstrap-signer',
    keys: (change) => (isInfo(change) || isTokenChange(change) ? [INFO.name] : []),
    async reconcile() {
      const info = await client.get(INFO);
      if (info === undefined) return undefined;
      const now = clock.now();
      const secrets = (await client.list(SECRETS, { namespace: SYSTEM })).filter(isToken);
      const data = signedData(info, secrets, now);
      if (data !== undefined) await client.update(INFO, { ...info, data }).catch(unlessGone);
      const ends = secrets.map((secret) => lifeOf(secret, now)).filter((left) => left > 0 && left < Infinity);
      return requeueAfter(...ends);
    },
  };
}

/** Deletes bootstrap tokens when they expire: upstream's token cleaner. */
export function tokenCleaner(untyped: Client, clock: Clock): Reconciler {
  const client = clientset(untyped);
  return {
    name: 'token-cleaner',
    keys: (change) => (change.type !== 'DELETED' && isTokenChange(change) ? [change.name] : []),
    async reconcile(name) {
      const ref = { resource: SECRETS, namespace: SYSTEM, name };
      const secret = await client.get(ref);
      if (secret === undefined || !isToken(secret)) return undefined;
      const left = lifeOf(secret, clock.now());
      if (left === Infinity) return undefined;
      if (left > 0) return requeueAfter(left);
      await client.delete(ref, { uid: uidOf(secret) }).catch(unlessGone);
      return undefined;
    },
  };
}

/** Ignores errors if the object was deleted or written concurrently. */
const unlessGone = ignore('NotFound', 'Conflict');
