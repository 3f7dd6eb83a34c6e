import type { Client } from '#lib/client/client.ts';

export class Killed extends Error {}

type Around = <T>(call: () => Promise<T>, isWrite: boolean) => Promise<T>;

/** A client that passes every call to `around`, with whether it is a write. */
export function aroundCalls(client: Client, around: Around): Client {
  return {
    get: (ref, options) => around(() => client.get(ref, options), false),
    list: (resource, options) => around(() => client.list(resource, options), false),
    create: (resource, object) => around(() => client.create(resource, object), true),
    update: (ref, object, subresource) => around(() => client.update(ref, object, subresource), true),
    patch: (ref, patch, subresource) => around(() => client.patch(ref, patch, subresource), true),
    apply: (ref, object, options) => around(() => client.apply(ref, object, options), true),
    delete: (ref, request) => around(() => client.delete(ref, request), true),
    document: (path, accept) => around(() => client.document(path, accept), false),
  };
}

/**
 * A client whose process dies at its n-th call (counted from 1), before or after the server has executed the call. Afterwards it only
 * throws.
 */
export function mortalClient(client: Client, killAt: number, when: 'before' | 'after') {
  let calls = 0;
  let dead = false;
  const guarded: Around = async (call) => {
    if (dead) throw new Killed('the process is dead');
    if (++calls < killAt) return call();
    dead = true;
    if (when === 'after') await call().catch(() => undefined);
    throw new Killed('the process dies');
  };
  return { client: aroundCalls(client, guarded), isDead: () => dead };
}
