import { expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import { clusterRoleAggregation } from '#lib/controllers/clusterrole-aggregation/reconcile.ts';
import { ensureBootstrapPolicy } from '#lib/controllers/rbac-bootstrap/reconcile.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { items } from '#lib/machinery/unstructured.ts';
import { binding, role } from '#lib/server/authorization/rbac/a-policy.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const rbac = (resource: string) => ({ group: 'rbac.authorization.k8s.io', version: 'v1', resource });
const ROLES = rbac('clusterroles');
const BINDINGS = rbac('clusterrolebindings');

const start = (client: Client): ReturnType<Reconcilers>[number] => ({
  name: 'start',
  initial: [''],
  keys: () => [],
  reconcile: () => ensureBootstrapPolicy(client).then(() => undefined),
});
const rulesOf = async (world: World, name: string): Promise<JsonObject[]> =>
  items(await world.user.get(refOf(ROLES, '', name)), 'rules');

async function aCluster(world: World): Promise<void> {
  for (const name of ['default', 'kube-system', 'kube-public'])
    await world.user.create(NAMESPACES, { metadata: { name } });
}

async function damaged(world: World): Promise<void> {
  await aCluster(world);
  await ensureBootstrapPolicy(world.user);
  await world.user.patch(refOf(ROLES, '', 'system:basic-user'), role());
  await world.user.patch(refOf(ROLES, '', 'system:discovery'), {
    ...role(),
    metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } },
  });
  await world.user.delete(refOf(ROLES, '', 'system:node'));
  await world.user.patch(refOf(BINDINGS, '', 'system:public-info-viewer'), { subjects: null });
  await world.user.delete(refOf(BINDINGS, '', 'system:discovery'));
  await world.user.create(BINDINGS, {
    metadata: { name: 'system:discovery' },
    ...binding('ClusterRole view', 'User eve'),
  });
}

test('repairs the bootstrap roles at a start, wherever it is killed', async () => {
  const check = async (world: World): Promise<void> => {
    expect(await rulesOf(world, 'system:basic-user')).toHaveLength(3);
    expect(await rulesOf(world, 'system:discovery')).toHaveLength(0);
    expect(await rulesOf(world, 'system:node')).not.toHaveLength(0);
    expect(await world.user.get(refOf(BINDINGS, '', 'system:public-info-viewer'))).toMatchObject({
      subjects: [{}, {}],
    });
    expect(await world.user.get(refOf(BINDINGS, '', 'system:discovery'))).toMatchObject({
      roleRef: { name: 'system:discovery' },
      subjects: [{ name: 'system:authenticated' }],
    });
  };
  const kills = await surviveEveryCrash({ make: (client) => [start(client)], prepare: damaged, check });
  expect(kills).toBeGreaterThan(8);
});

test('aggregates rules of other roles, also of aggregated ones, no matter when the controller is killed', async () => {
  const make: Reconcilers = (client) => [clusterRoleAggregation(client)];
  const gather = (label: string): JsonObject => ({
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: '' } }] },
  });
  const prepare = async (world: World): Promise<void> => {
    const made = (name: string, labels: JsonObject, content: JsonObject) =>
      world.user.create(ROLES, { metadata: { name, labels }, ...content });
    await made('b-edit', { 'to-admin': '' }, { ...gather('to-edit'), ...role('delete core secrets') });
    await made('a-admin', {}, gather('to-admin'));
    await made('crds', { 'to-edit': '', 'to-admin': '' }, role('get example.com widgets'));
    await made('own', { 'to-admin': '' }, role('* core pods'));
  };
  const check = async (world: World): Promise<void> => {
    expect(await rulesOf(world, 'b-edit')).toEqual(role('get example.com widgets')['rules']);
    expect(await rulesOf(world, 'a-admin')).toEqual(role('get example.com widgets', '* core pods')['rules']);
  };
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(2);
});
