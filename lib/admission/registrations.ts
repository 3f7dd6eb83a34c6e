import type { JsonObject } from '#lib/machinery/json-value.ts';
import { parsedObject } from '#lib/storage/lookup.ts';
import { parseKey } from '#lib/storage/keys.ts';
import type { StorageOf, StoredObject } from '#lib/storage/storage.ts';
import type { Attributes } from '#lib/registry/admission.ts';

const GROUP = 'admissionregistration.k8s.io';

/** What is registered for admission, by resource, in the order of names. The same value while nothing changes. */
export type Registered = ReadonlyMap<string, readonly JsonObject[]>;

export interface Registrations {
  /** As of at most a second ago; one look for all plugins of a request. */
  of(attributes: Attributes): Promise<Registered>;
}

const NONE: Registered = new Map();

/** What webhooks are never asked about, lest a broken one could not be taken away. */
export const isRegistration = ({ resource }: Attributes): boolean => resource.group === GROUP;

const UNJUDGED = new Set(
  ['validating', 'mutating'].flatMap((kind) => [`${kind}admissionpolicies`, `${kind}admissionpolicybindings`]),
);
const REVIEWS = new Set(['authentication.k8s.io', 'authorization.k8s.io']);

/** What policies are never asked about: policies, and reviews, without which nobody is let in. */
export const isBeyondPolicies = ({ resource: { group, resource } }: Attributes): boolean =>
  (group === GROUP && UNJUDGED.has(resource)) || REVIEWS.has(group);

/** Webhook configurations, policies and bindings: all of one group, so that one range of the control log answers for all. */
export function registrations({ storageOf, cluster }: { storageOf: StorageOf; cluster: string }): Registrations {
  const storage = storageOf({ group: GROUP, resource: 'validatingwebhookconfigurations' });
  const prefix = `${cluster}/${GROUP}/`;
  let last: { readonly objects: readonly StoredObject[]; readonly registered: Registered } | undefined;
  const read = async (): Promise<Registered> => {
    const { objects } = await storage.list({ prefix, at: { kind: 'any', within: 1000 }, limit: 0 });
    if (objects.length === 0) return NONE;
    if (last === undefined || !same(last.objects, objects)) last = { objects, registered: byResource(objects) };
    return last.registered;
  };
  const asked = new WeakMap<Attributes, Promise<Registered>>();
  return {
    of(attributes) {
      const known = asked.get(attributes) ?? read();
      asked.set(attributes, known);
      return known;
    },
  };
}

const same = (a: readonly StoredObject[], b: readonly StoredObject[]): boolean =>
  a.length === b.length && a.every((object, i) => object === b[i]);

function byResource(objects: readonly StoredObject[]): Registered {
  const grouped = Map.groupBy(objects, ({ key }) => parseKey(key).resource);
  return new Map([...grouped].map(([resource, all]) => [resource, all.map(parsedObject)]));
}
