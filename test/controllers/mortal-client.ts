import type { Client } from '#lib/client/client.ts';

export class Killed extends Error {}

/** A client whose process dies at its n-th call (counted from 1), before or after the server has done it; ever after it only throws. */
export function mortalClient(client: Client, killAt: number, when: 'before' | 'after') {
  let calls = 0;
  let dead = false;
  const guarded = async <T>(call: () => Promise<T>): Promise<T> => {
    if (dead) throw new Killed('the process is dead');
    if (++calls < killAt) return call();
    dead = true;
    if (when === 'after') await call().catch(() => undefined);
    throw new Killed('the process dies');
  };
  const mortal: Client = {
    get: (ref, options) => guarded(() => client.get(ref, options)),
    list: (resource, options) => guarded(() => client.list(resource, options)),
    create: (resource, object) => guarded(() => client.create(resource, object)),
    update: (ref, object, subresource) => guarded(() => client.update(ref, object, subresource)),
    patch: (ref, patch, subresource) => guarded(() => client.patch(ref, patch, subresource)),
    apply: (ref, object, options) => guarded(() => client.apply(ref, object, options)),
    delete: (ref, request) => guarded(() => client.delete(ref, request)),
    document: (path, accept) => guarded(() => client.document(path, accept)),
  };
  return { client: mortal, isDead: () => dead };
}
