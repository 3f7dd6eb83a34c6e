import type { Version } from '#lib/storage/sequence.ts';
import type { ReadAt, StorageOf } from '#lib/storage/storage.ts';
import { type Policy, policyOf } from './policy.ts';

/** The API group of roles and bindings. */
export const RBAC = 'rbac.authorization.k8s.io';

/**
 * Gives the roles and bindings as `at` may see them, but for damaged ones: rights are only ever added, so that nobody has more
 * without them. While nothing is written in their sequence, it costs one look at its head.
 */
export type PolicySource = (at: ReadAt) => Promise<Policy>;

/** Leaves damaged objects out silently: their readers have reported them. */
const ignore = (): void => undefined;

/** The roles and bindings of a logical cluster, read from its storage. */
export function policySource(storageOf: StorageOf, cluster: string): PolicySource {
  const root = `${cluster}/${RBAC}/`; // all four kinds are in one sequence, so that one list has them as of one moment
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
