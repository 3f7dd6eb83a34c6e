import type { Client } from '#lib/client/client.ts';
import type { RestMapper } from '#lib/client/rest-mapper.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { finalizersOf, isDeleting, type OwnerReference, uidOf } from '#lib/machinery/meta.ts';
import { FOREGROUND, type OwnerState } from './decide.ts';

/** `unknown`: the owner's kind is not served now. `invalid`: a namespaced owner of a cluster-scoped object. */
export type Look = OwnerState | 'unknown' | 'invalid';

/** The number of remembered owners that are proven absent. Uids are never reused. */
const REMEMBERED = 500;

/** Finds the owner that a dependent names, with a live read. Throws the server's StatusError, except 404. */
export function ownerLookup(client: Client, mapper: RestMapper) {
  const absent = new Set<string>();
  const remember = (key: string): void => {
    if (absent.size >= REMEMBERED) absent.delete(absent.values().next().value ?? '');
    absent.add(key);
  };
  return async function look(reference: OwnerReference, dependentNamespace: string): Promise<Look> {
    const { apiVersion, kind, name, uid } = reference;
    const served = await mapper.ofKind(apiVersion, kind);
    if (served === undefined) return 'unknown';
    if (served.namespaced && dependentNamespace === '') return 'invalid';
    const namespace = served.namespaced ? dependentNamespace : '';
    const key = JSON.stringify([apiVersion, kind, namespace, name, uid]);
    if (absent.has(key)) return 'dangling';
    const owner = await client.get({ resource: served.resource, namespace, name }).catch(notServed);
    if (owner === 'unserved') {
      mapper.forget();
      return 'unknown';
    }
    if (owner === undefined || uidOf(owner) !== uid) {
      remember(key);
      return 'dangling';
    }
    return isDeleting(owner) && finalizersOf(owner).includes(FOREGROUND) ? 'waiting' : 'solid';
  };
}

function notServed(error: unknown): 'unserved' {
  if (error instanceof StatusError && error.code === 404) return 'unserved';
  throw error;
}
