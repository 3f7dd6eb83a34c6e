import type { Version } from '#lib/storage/sequence.ts';
import type { ReadAt, StorageOf } from '#lib/storage/storage.ts';
import { type Policy, policyOf } from './policy.ts';

/** The API group of roles and bindings. */
export const RBAC = 'rbac.authorization.k8s.io';

/**
 * Returns the roles and bindings in a state that `at` allows, without damaged ones. RBAC is additive, so omitting an object never grants
 * more. While their sequence is unchanged, a call costs one read of its head.
 */
export type PolicySource = (at: ReadAt) => Promise<Policy>;

/** Ignores damaged objects, because other readers report them. */
const ignore = (): void => undefined;

/** The roles and bindings of a logical cluster, read from its storage. */
export function policySource(storageOf: StorageOf, cluster: string): PolicySource {
  const root = `${cluster}/${RBAC}/`; // all four kinds share one sequence, so one list returns a consistent snapshot
  const storage = storageOf({ group: RBAC, resource: 'clusterroles' });
  let known: { readonly version: Version; readonly policy: Policy } | undefined;
  return async (at) => {
    if (known !== undefined && (await storage.head(at)) === known.version) return known.policy;
    const { objects, version } = await storage.list({ prefix: root, at, limit: 0, leaveOut: ignore });
    const policy = policyOf(root, objects, known?.policy);
    if (known === undefined || version >= known.version) known = { version, policy };
    return policy;
  };
}
