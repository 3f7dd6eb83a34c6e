import { typedObject } from '#lib/api/typed.ts';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '#lib/api/types/admissionregistration.v1.ts';
import {
  MUTATING_ADMISSION_POLICIES,
  MUTATING_ADMISSION_POLICY_BINDINGS,
  MUTATING_WEBHOOK_CONFIGURATIONS,
  VALIDATING_ADMISSION_POLICIES,
  VALIDATING_ADMISSION_POLICY_BINDINGS,
  VALIDATING_WEBHOOK_CONFIGURATIONS,
} from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import { parseKey } from '#lib/storage/keys.ts';
import { parsedObject } from '#lib/storage/lookup.ts';
import type { StorageOf, StoredObject } from '#lib/storage/storage.ts';

const GROUP = 'admissionregistration.k8s.io';

/** The objects registered for admission, sorted by name within each kind. They are shared: never change them. */
export interface RegisteredObjects {
  readonly validatingWebhooks: readonly ValidatingWebhookConfiguration[];
  readonly mutatingWebhooks: readonly MutatingWebhookConfiguration[];
  readonly validatingPolicies: readonly ValidatingAdmissionPolicy[];
  readonly validatingPolicyBindings: readonly ValidatingAdmissionPolicyBinding[];
  readonly mutatingPolicies: readonly MutatingAdmissionPolicy[];
  readonly mutatingPolicyBindings: readonly MutatingAdmissionPolicyBinding[];
}

/** Reads the registered objects. */
export interface Registrations {
  /**
   * Returns the state as of at most a second ago, read once for all plugins of a request. Returns the identical value until something
   * changes.
   */
  of(attributes: Attributes): Promise<RegisteredObjects>;
}

/** No registered objects. */
export const NOTHING_REGISTERED: RegisteredObjects = {
  validatingWebhooks: [],
  mutatingWebhooks: [],
  validatingPolicies: [],
  validatingPolicyBindings: [],
  mutatingPolicies: [],
  mutatingPolicyBindings: [],
};

/** Whether webhooks are skipped for the request. A broken webhook could otherwise prevent its own deletion. */
export const isRegistration = ({ resource }: Attributes): boolean => resource.group === GROUP;

const UNJUDGED = new Set(
  ['validating', 'mutating'].flatMap((kind) => [`${kind}admissionpolicies`, `${kind}admissionpolicybindings`]),
);
const REVIEWS = new Set(['authentication.k8s.io', 'authorization.k8s.io']);

/** Whether policies are skipped for the request: it concerns policies, or a review, which every login needs. */
export const isBeyondPolicies = ({ resource: { group, resource } }: Attributes): boolean =>
  (group === GROUP && UNJUDGED.has(resource)) || REVIEWS.has(group);

/**
 * Reads webhook configurations, policies and bindings. They belong to one group, so a single range of the control log contains all of them.
 */
export function registrations({ storageOf, cluster }: { storageOf: StorageOf; cluster: string }): Registrations {
  const storage = storageOf({ group: GROUP, resource: 'validatingwebhookconfigurations' });
  const prefix = `${cluster}/${GROUP}/`;
  let last: { readonly objects: readonly StoredObject[]; readonly registered: RegisteredObjects } | undefined;
  const read = async (): Promise<RegisteredObjects> => {
    const { objects } = await storage.list({ prefix, at: { kind: 'any', within: 1000 }, limit: 0 });
    if (objects.length === 0) return NOTHING_REGISTERED;
    if (last === undefined || !same(last.objects, objects)) last = { objects, registered: registeredIn(objects) };
    return last.registered;
  };
  const asked = new WeakMap<Attributes, Promise<RegisteredObjects>>();
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

function registeredIn(objects: readonly StoredObject[]): RegisteredObjects {
  const grouped = Map.groupBy(objects, ({ key }) => parseKey(key).resource);
  const all = <T extends JsonObject>(resource: ResourceOf<T>): readonly T[] =>
    (grouped.get(resource.resource) ?? []).map((stored) => typedObject(resource, parsedObject(stored)));
  return {
    validatingWebhooks: all(VALIDATING_WEBHOOK_CONFIGURATIONS),
    mutatingWebhooks: all(MUTATING_WEBHOOK_CONFIGURATIONS),
    validatingPolicies: all(VALIDATING_ADMISSION_POLICIES),
    validatingPolicyBindings: all(VALIDATING_ADMISSION_POLICY_BINDINGS),
    mutatingPolicies: all(MUTATING_ADMISSION_POLICIES),
    mutatingPolicyBindings: all(MUTATING_ADMISSION_POLICY_BINDINGS),
  };
}
