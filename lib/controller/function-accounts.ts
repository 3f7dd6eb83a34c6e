import type { Client, ObjectRef } from '#lib/client/client.ts';
import { discover, type ServedResource } from '#lib/client/discovery.ts';
import { guessResource } from '#lib/client/guess-resource.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { Declaration } from './declaration.ts';
import { accountObjects, FUNCTIONS_NAMESPACE, rulesOf, type ResourceOf } from './function-account.ts';
import { ACCOUNTS } from './function-names.ts';
import type { ObjectChange, Reconciler } from './reconciler.ts';
import { kindsOf } from './unserved.ts';

/** The ports of the reconciler of accounts. */
export interface FunctionAccountsPorts {
  readonly client: Client;
  /** All that are declared now. */
  declarations(): readonly Declaration[];
}

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const RESOURCES: Readonly<Record<string, ObjectRef['resource']>> = {
  Namespace: { group: '', version: 'v1', resource: 'namespaces' },
  ServiceAccount: { group: '', version: 'v1', resource: 'serviceaccounts' },
  ClusterRole: { ...RBAC, resource: 'clusterroles' },
  ClusterRoleBinding: { ...RBAC, resource: 'clusterrolebindings' },
};
const MANAGED: readonly [string, string] = ['app.kubernetes.io/managed-by', 'davit-functions'];
const APPLY = { fieldManager: 'davit-functions', force: true };
const NAMESPACE: JsonObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: FUNCTIONS_NAMESPACE } };
const ALL = ACCOUNTS.name;

const roleOf = ({ name }: Declaration): string => `davit:function:${name}`;

/**
 * Keeps a service account, its role and what binds them for every declared reconciler. Those of what is declared no longer go.
 * One call runs at a time, also where a caller runs it beside its queue.
 */
export function functionAccounts(ports: FunctionAccountsPorts): Reconciler {
  const { declarations } = ports;
  let last: Promise<void> = Promise.resolve();
  return {
    name: ACCOUNTS.reconciler,
    initial: [ALL],
    keys: (change) => (concerns(change, declarations()) ? [ALL] : []),
    async reconcile() {
      const turn = last.then(() => keepAccounts(ports));
      last = turn.catch(() => undefined); // its own caller is told
      await turn;
      return undefined;
    },
  };
}

async function keepAccounts({ client, declarations }: FunctionAccountsPorts): Promise<void> {
  const declared = declarations();
  const objects = declared.length === 0 ? [] : await wanted(client, declared);
  for (const object of objects) await client.apply(refOf(object), object, APPLY);
  await removeOthers(client, declarations);
}

/** Ours themselves, and definitions, which say what kinds' resources are called. */
function concerns(change: ObjectChange, declared: readonly Declaration[]): boolean {
  const { group, resource, name, namespace } = change;
  if (group === 'apiextensions.k8s.io')
    return declared.some((one) => kindsOf(one).some(({ kind }) => change.mentions(`"${kind}"`)));
  if (group === RBAC.group) return declared.some((one) => roleOf(one) === name);
  return (
    resource === 'serviceaccounts' && namespace === FUNCTIONS_NAMESPACE && declared.some((one) => one.name === name)
  );
}

async function wanted(client: Client, declared: readonly Declaration[]): Promise<readonly JsonObject[]> {
  const resourceOf = byDiscovery(await discover(client));
  const labels = Object.fromEntries([MANAGED]);
  const accounts = declared.map((declaration) => ({
    namespace: FUNCTIONS_NAMESPACE,
    name: declaration.name,
    role: roleOf(declaration),
    labels,
    rules: rulesOf([declaration], resourceOf),
  }));
  return [NAMESPACE, ...accounts.flatMap(accountObjects)];
}

function byDiscovery(served: readonly ServedResource[]): ResourceOf {
  const known = new Map(served.map((one) => [`${apiVersion(one.resource)} ${one.kind}`, one.resource.resource]));
  return (kind) => known.get(`${kind.apiVersion} ${kind.kind}`) ?? guessResource(kind.kind);
}

async function removeOthers(client: Client, declarations: FunctionAccountsPorts['declarations']): Promise<void> {
  const labelSelector = MANAGED.join('=');
  for (const kind of ['ClusterRoleBinding', 'ClusterRole', 'ServiceAccount']) {
    const isAccount = kind === 'ServiceAccount';
    const namespace = isAccount ? FUNCTIONS_NAMESPACE : '';
    const found = await client.list(resourceOf(kind), { labelSelector, namespace });
    const declared = new Set(declarations().map((one) => (isAccount ? one.name : roleOf(one)))); // also what came meanwhile
    for (const name of found.map(nameOf).filter((one) => !declared.has(one)))
      await client.delete({ resource: resourceOf(kind), namespace, name }).catch(ignoreNotFound);
  }
}

const resourceOf = (kind: string): ObjectRef['resource'] => RESOURCES[kind] as ObjectRef['resource'];

function refOf(object: JsonObject): ObjectRef {
  return { resource: resourceOf(String(object['kind'])), namespace: namespaceOf(object), name: nameOf(object) };
}
