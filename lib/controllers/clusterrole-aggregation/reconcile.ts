import { RBAC } from '#lib/authorization/rbac/policy-source.ts';
import type { Client } from '#lib/client/client.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { Reconciler } from '#lib/controller/reconciler.ts';
import { nameOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { decide, isAggregated } from './decide.ts';

const CLUSTER_ROLES: GroupVersionResource = { group: RBAC, version: 'v1', resource: 'clusterroles' };

/** It is the manager of the rules as well, which it applies: upstream's name of both. */
const NAME = 'clusterrole-aggregation-controller';
/** Any change may concern every role that gathers: all of them are one piece of work, which coalesces. */
const ALL = 'all';

/** Gives the cluster roles that have an aggregation rule the rules of those it selects: upstream's clusterrole-aggregation controller. */
export function clusterRoleAggregation(client: Client): Reconciler {
  return {
    name: NAME,
    keys: ({ group, resource }) => (group === RBAC && resource === CLUSTER_ROLES.resource ? [ALL] : []),
    async reconcile() {
      const roles = await client.list(CLUSTER_ROLES);
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
