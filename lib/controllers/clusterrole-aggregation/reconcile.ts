import { CLUSTER_ROLES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { nameOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import { RBAC } from '#lib/server/authorization/rbac/policy-source.ts';
import { decide, isAggregated } from './decide.ts';

/** The name of the controller and of the field manager that applies the rules: upstream's. */
const NAME = 'clusterrole-aggregation-controller';
/** The only key: any change may concern every aggregating role. */
const ALL = 'all';

/**
 * Copies rules into every cluster role with an aggregation rule, from the roles that it selects: upstream's clusterrole-aggregation
 * controller.
 */
export function clusterRoleAggregation(client: Client): Reconciler {
  return {
    name: NAME,
    keys: ({ group, resource }) => (group === RBAC && resource === CLUSTER_ROLES.resource ? [ALL] : []),
    async reconcile() {
      const roles = await clientset(client).list(CLUSTER_ROLES);
      for (const role of roles.filter(isAggregated)) {
        const rules = decide(role, roles);
        if (rules === undefined) continue;
        const ref = { resource: CLUSTER_ROLES, namespace: '', name: nameOf(role) };
        const metadata = { name: ref.name, resourceVersion: resourceVersionOf(role) };
        const wanted = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata, rules };
        await client.apply(ref, wanted, { fieldManager: NAME, force: true }).catch(ignoreNotFound);
      }
      return undefined;
    },
  };
}
