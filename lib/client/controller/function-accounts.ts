import type { Client, ObjectRef } from '#lib/client/client.ts';
import { discover, type ServedResource } from '#lib/client/discovery.ts';
import { guessResource } from '#lib/client/guess-resource.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { Declaration, Permission } from './declaration.ts';
import { accountObjects, FUNCTIONS_NAMESPACE, type ResourceOf, rulesOf } from './function-account.ts';
import { ACCOUNTS } from './function-names.ts';
import type { ObjectChange, Reconciler } from './reconciler.ts';
import { kindsOf } from './unserved.ts';

/** The ports of the accounts reconciler. */
export interface FunctionAccountsPorts {
  readonly client: Client;
  /** All current declarations. */
  declarations(): readonly Declaration[];
  /** Functions that are not reconcilers, with their permissions. Default none. */
  readonly others?: readonly OtherAccount[];
}

/** The account of a function that is not a reconciler. */
export interface OtherAccount {
  readonly name: string;
  readonly rules: readonly Permission[];
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

const roleOf = ({ name }: Pick<Declaration, 'name'>): string => `davit:function:${name}`;

/**
 * Maintains a service account, a role and a binding for every declared reconciler. Deletes those of reconcilers that are no longer
 * declared. Calls are serialized, even if a caller bypasses the queue.
 */
export function functionAccounts(ports: FunctionAccountsPorts): Reconciler {
  const { declarations, others = [] } = ports;
  let last: Promise<void> = Promise.resolve();
  return {
    name: ACCOUNTS.reconciler,
    initial: [ALL],
    keys: (change) => (concerns(change, declarations(), others) ? [ALL] : []),
    async reconcile() {
      const turn = last.then(() => keepAccounts(ports));
      last = turn.catch(() => undefined); // the caller of that attempt gets the error
      await turn;
      return undefined;
    },
  };
}

async function keepAccounts({ client, declarations, others = [] }: FunctionAccountsPorts): Promise<void> {
  const declared = declarations();
  const all = [...(declared.length === 0 ? [] : await accountsOf(client, declared)), ...others];
  const objects = all.length === 0 ? [] : [NAMESPACE, ...all.flatMap(objectsOf)];
  for (const object of objects) await client.apply(refOf(object), object, APPLY);
  await removeOthers(client, () => [...declarations(), ...others]);
}

/**
 * Whether a change is relevant: to an account's own objects, or to a definition, because definitions determine the resource names of kinds.
 */
function concerns(change: ObjectChange, declared: readonly Declaration[], others: readonly OtherAccount[]): boolean {
  const { group, resource, name, namespace } = change;
  if (group === 'apiextensions.k8s.io')
    return declared.some((one) => kindsOf(one).some(({ kind }) => change.mentions(`"${kind}"`)));
  const all = [...declared, ...others];
  if (group === RBAC.group) return all.some((one) => roleOf(one) === name);
  return resource === 'serviceaccounts' && namespace === FUNCTIONS_NAMESPACE && all.some((one) => one.name === name);
}

/** The accounts of reconcilers, with rules derived from their declarations. */
async function accountsOf(client: Client, declared: readonly Declaration[]): Promise<readonly OtherAccount[]> {
  const resourceOf = byDiscovery(await discover(client));
  return declared.map((declaration) => ({ name: declaration.name, rules: rulesOf([declaration], resourceOf) }));
}

const objectsOf = (account: OtherAccount): readonly JsonObject[] =>
  accountObjects({
    ...account,
    namespace: FUNCTIONS_NAMESPACE,
    role: roleOf(account),
    labels: Object.fromEntries([MANAGED]),
  });

function byDiscovery(served: readonly ServedResource[]): ResourceOf {
  const known = new Map(served.map((one) => [`${apiVersion(one.resource)} ${one.kind}`, one.resource.resource]));
  return (kind) => known.get(`${kind.apiVersion} ${kind.kind}`) ?? guessResource(kind.kind);
}

async function removeOthers(client: Client, kept: () => readonly Pick<Declaration, 'name'>[]): Promise<void> {
  const labelSelector = MANAGED.join('=');
  for (const kind of ['ClusterRoleBinding', 'ClusterRole', 'ServiceAccount']) {
    const isAccount = kind === 'ServiceAccount';
    const namespace = isAccount ? FUNCTIONS_NAMESPACE : '';
    const found = await client.list(resourceOf(kind), { labelSelector, namespace });
    const declared = new Set(kept().map((one) => (isAccount ? one.name : roleOf(one)))); // `declared` includes declarations added meanwhile
    for (const name of found.map(nameOf).filter((one) => !declared.has(one)))
      await client.delete({ resource: resourceOf(kind), namespace, name }).catch(ignoreNotFound);
  }
}

const resourceOf = (kind: string): ObjectRef['resource'] => RESOURCES[kind] as ObjectRef['resource'];

function refOf(object: JsonObject): ObjectRef {
  return { resource: resourceOf(String(object['kind'])), namespace: namespaceOf(object), name: nameOf(object) };
}
