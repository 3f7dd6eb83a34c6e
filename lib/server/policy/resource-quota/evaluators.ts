import type { Evaluator } from './evaluator.ts';
import { objectCount } from './evaluators/object-count.ts';
import { persistentVolumeClaims } from './evaluators/persistent-volume-claims.ts';
import { pods } from './evaluators/pods.ts';
import { resourceClaims } from './evaluators/resource-claims.ts';
import { services } from './evaluators/services.ts';

const SPECIAL: ReadonlyMap<string, Evaluator> = new Map(
  [pods, services, persistentVolumeClaims, resourceClaims].map((one: Evaluator) => [
    `${one.group}/${one.resource}`,
    one,
  ]),
);

/** Resources that quotas do not limit by number: those that are not stored, and events. */
const IGNORED: ReadonlySet<string> = new Set([
  '/bindings',
  '/componentstatuses',
  'authentication.k8s.io/tokenreviews',
  'authentication.k8s.io/selfsubjectreviews',
  'authorization.k8s.io/subjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  '/events',
  'events.k8s.io/events',
]);

/** Returns the evaluator of a resource. Every resource counts at least by number. Undefined if quotas ignore it. */
export function evaluatorOf(group: string, resource: string): Evaluator | undefined {
  const name = `${group}/${resource}`;
  return IGNORED.has(name) ? undefined : (SPECIAL.get(name) ?? objectCount(group, resource));
}
