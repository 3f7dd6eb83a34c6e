import { expect, onTestFinished, test } from 'vitest';
import { type Declaration, parseDeclaration } from '#lib/client/controller/declaration.ts';
import { functionAccounts } from '#lib/client/controller/function-accounts.ts';
import { apiextensionsController } from '#lib/controllers/apiextensions/reconcile.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, DEFINITIONS, definition, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const ROLES = { ...RBAC, resource: 'clusterroles' };
const BINDINGS = { ...RBAC, resource: 'clusterrolebindings' };
const ACCOUNTS = core('serviceaccounts');

const declared = (name: string, kind: string): Declaration =>
  parseDeclaration({ name, for: { apiVersion: 'example.com/v1', kind } });
const keeping =
  (declarations: readonly Declaration[]): Reconcilers =>
  (client) => [functionAccounts({ client, declarations: () => declarations })];
const both = keeping([declared('children', 'Child'), declared('widgets', 'Widget')]);

/** A kind with an irregular plural. */
async function children(world: World): Promise<void> {
  await world.user.create(NAMESPACES, { metadata: { name: 'default' } });
  await world.user.create(DEFINITIONS, definition('children', 'Child'));
  await world.run((client, clock) => [apiextensionsController(client, clock)]);
}
const names = async (world: World, resource: typeof ROLES): Promise<string[]> =>
  (await world.user.list(resource, { labelSelector: 'app.kubernetes.io/managed-by=davit-functions' })).map(nameOf);

test('accounts, roles and bindings exist no matter when the controller is killed', async () => {
  const check = async (world: World): Promise<void> => {
    expect(await names(world, ACCOUNTS)).toEqual(['children', 'widgets']);
    expect(await names(world, BINDINGS)).toEqual(['davit:function:children', 'davit:function:widgets']);
    const role = await world.user.get(refOf(ROLES, '', 'davit:function:children'));
    expect(role?.['rules']).toContainEqual({
      apiGroups: ['example.com'],
      resources: ['children'],
      verbs: ['get', 'list', 'patch', 'update', 'watch'],
    });
  };
  expect(await surviveEveryCrash({ make: both, prepare: children, check })).toBeGreaterThan(7);
});

test('adds the resource of a definition that is created later, and repairs manual changes', async () => {
  const world = new World();
  onTestFinished(() => world.close());
  const at = (name: string) => refOf(ROLES, '', name);
  await world.run(both);
  await children(world);
  await world.user.patch(at('davit:function:widgets'), { rules: [] });
  await world.run(both);
  expect(JSON.stringify(await world.user.get(at('davit:function:children')))).toContain('"children/status"');
  expect(JSON.stringify(await world.user.get(at('davit:function:widgets')))).toContain('"widgets/status"');
});

test('deletes the account of a function that is no longer declared', async () => {
  const world = new World();
  onTestFinished(() => world.close());
  await world.run(both);
  await world.run(keeping([declared('widgets', 'Widget')]));
  expect([await names(world, ACCOUNTS), await names(world, ROLES)]).toEqual([['widgets'], ['davit:function:widgets']]);
  await world.run(keeping([]));
  expect([await names(world, ACCOUNTS), await names(world, ROLES), await names(world, BINDINGS)]).toEqual([[], [], []]);
});
