import type { Client, ObjectRef } from '#lib/client/client.ts';
import { BOOTSTRAP } from '#lib/client/controller/bootstrap.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignore } from '#lib/client/ignore.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { type Address, bootstrapObjects, type ClusterTrust } from './objects.ts';
import type { BootstrapObject } from './wanted.ts';

/** Creates the objects of every cluster, recreates them after a deletion, and corrects the fields that only the server may change. */
export function bootstrapController(client: Client, address: Address, trust: ClusterTrust): Reconciler {
  const wanted = new Map(bootstrapObjects(address, trust).map((want) => [keyOf(want), want]));
  return {
    name: BOOTSTRAP.reconciler,
    initial: [...wanted.keys()],
    keys({ group, resource, namespace, name }) {
      const key = `${group}/${resource}/${namespace}/${name}`;
      return wanted.has(key) ? [key] : [];
    },
    async reconcile(key) {
      const one = wanted.get(key);
      const wants = key === BOOTSTRAP.name ? wanted.values() : one === undefined ? [] : [one];
      for (const want of wants) await ensure(client, want);
      return undefined;
    },
  };
}

/** Creates the object, or corrects the fields in `kept`. */
export async function ensure(client: Client, { resource, object, kept }: BootstrapObject): Promise<void> {
  const ref: ObjectRef = { resource, namespace: namespaceOf(object), name: nameOf(object) };
  const current = await client.get(ref);
  if (current === undefined) {
    await client.create(resource, object).catch(ignoreExisting);
    return;
  }
  if (kept.every((field) => covers(current[field], object[field]))) return;
  const right: JsonObject = { ...current };
  for (const field of kept) {
    const value = object[field];
    if (value === undefined) delete right[field];
    else right[field] = value;
  }
  await client.update(ref, right);
}

/** Whether the current value contains everything wanted. Extra fields, such as defaults, do not count. */
function covers(current: JsonObject[string] | undefined, wanted: JsonObject[string] | undefined): boolean {
  if (wanted === undefined) return current === undefined;
  if (Array.isArray(wanted))
    return wanted.length === 0 && (current ?? null) === null
      ? true
      : Array.isArray(current) &&
          current.length === wanted.length &&
          wanted.every((item, i) => covers(current[i], item));
  if (typeof wanted !== 'object' || wanted === null) return equal(current, wanted);
  if (typeof current !== 'object' || current === null || Array.isArray(current)) return false;
  return Object.keys(wanted).every((field) => covers(current[field], wanted[field]));
}

function keyOf({ resource: { group, resource }, object }: BootstrapObject): string {
  return `${group}/${resource}/${namespaceOf(object)}/${nameOf(object)}`;
}

const ignoreExisting = ignore('AlreadyExists');
