import { typedObject } from '#lib/api/typed.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset, type RefOf } from '#lib/client/clientset.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { bootstrapPolicy, ownPolicy } from '#lib/server/authorization/rbac/bootstrap-policy/policy.ts';
import type { Expected } from '#lib/server/authorization/rbac/bootstrap-policy/table.ts';
import { decide, type Policy } from './decide.ts';

/** The maximum number of attempts at a role that other writers change. */
const ATTEMPTS = 3;

/**
 * Creates the default roles and bindings of every cluster, and adds missing parts to existing ones: upstream's post-start hook
 * rbac/bootstrap-roles. Throws the first error after attempting all of them.
 */
export async function ensureBootstrapPolicy(untyped: Client): Promise<void> {
  const client = clientset(untyped);
  const expected = [...bootstrapPolicy(), ...ownPolicy()];
  const current = await readAll(client, expected);
  const written = await Promise.allSettled(
    expected.map((one) => ensure(client, one, current.get(keyOf(one.resource.resource, one.object)))),
  );
  const failed = written.find(({ status }) => status === 'rejected');
  if (failed !== undefined && 'reason' in failed) throw failed.reason;
}

const keyOf = (resource: string, object: JsonObject): string => `${resource}/${namespaceOf(object)}/${nameOf(object)}`;

/**
 * All roles and bindings of the relevant resources, by key. Four lists cost less than a hundred reads. If a damaged object makes a list
 * fail,
 * that list counts as empty: each object is then created, and read if it exists.
 */
async function readAll(client: Clientset, expected: readonly Expected[]): Promise<Map<string, Policy>> {
  const resources = new Map(expected.map(({ resource }) => [resource.resource, resource]));
  const lists = await Promise.all(
    Array.from(resources.values(), async (resource) =>
      (await client.list<Policy>(resource).catch(noneOf)).map((object): [string, Policy] => [
        keyOf(resource.resource, object),
        object,
      ]),
    ),
  );
  return new Map(lists.flat());
}

function noneOf(error: unknown): Policy[] {
  if (error instanceof StatusError && error.reason === 'InternalError') return [];
  throw error;
}

async function ensure(client: Clientset, expected: Expected, current: Policy | undefined): Promise<void> {
  const ref: RefOf<Policy> = {
    resource: expected.resource,
    namespace: namespaceOf(expected.object),
    name: nameOf(expected.object),
  };
  for (let attempt = 1, known = current; ; attempt++, known = await client.get(ref)) {
    try {
      return await act(client, ref, typedObject(ref.resource, expected.object), known);
    } catch (error) {
      if (attempt === ATTEMPTS || !wroteFirst(error)) throw error;
    }
  }
}

async function act(
  client: Clientset,
  ref: RefOf<Policy>,
  expected: Policy,
  current: Policy | undefined,
): Promise<void> {
  const action = decide(current, expected);
  switch (action.do) {
    case 'nothing':
      return;
    case 'update':
      await client.update(ref, action.object);
      return;
    case 'recreate':
      await client.delete(ref, { uid: uidOf(current ?? {}) });
      await client.create(ref.resource, expected);
      return;
    case 'create':
      await client.create(ref.resource, expected);
      return;
    default:
      return action satisfies never;
  }
}

/** Whether another process or a user wrote first. */
const wroteFirst = (error: unknown): boolean =>
  error instanceof StatusError && ['AlreadyExists', 'Conflict', 'NotFound'].includes(error.reason ?? '');
