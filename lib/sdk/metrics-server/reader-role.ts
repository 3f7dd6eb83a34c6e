import { API_SERVICES, CLUSTER_ROLES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import type { ObjectChange, Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignore } from '#lib/client/ignore.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { METRICS_VERSION } from './objects.ts';

const NAME = 'system:aggregated-metrics-reader';
const AGGREGATED = ['view', 'edit', 'admin'].map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true']);

/** The role of upstream's manifest: users with the view role may read the metrics of pods. */
const ROLE: JsonObject = {
  metadata: { name: NAME, labels: Object.fromEntries(AGGREGATED) as JsonObject },
  rules: [{ apiGroups: [METRICS_VERSION.group], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] }],
};

const SERVICE = `${METRICS_VERSION.version}.${METRICS_VERSION.group}`;

const isOf = (change: ObjectChange, { group, resource }: GroupVersionResource, name: string): boolean =>
  change.group === group && change.resource === resource && change.name === name;

/** Creates the role for reading metrics together with the APIService, unless a role with its name exists. Keeps a modified role. */
export function metricsReaderRole(client: Client): Reconciler {
  return {
    name: 'metrics-reader-role',
    initial: [NAME],
    keys: (change) => (isOf(change, CLUSTER_ROLES, NAME) || isOf(change, API_SERVICES, SERVICE) ? [NAME] : []),
    async reconcile() {
      const found = await client.get({ resource: CLUSTER_ROLES, namespace: '', name: NAME });
      if (found === undefined) await client.create(CLUSTER_ROLES, ROLE).catch(ignore('AlreadyExists'));
      return undefined;
    },
  };
}
