import { invalid, noSuchPath } from '#lib/machinery/errors.ts';
import { forbidden } from '#lib/machinery/validation/field.ts';
import type { DiscoveredVersion } from './discovery/resource-list.ts';
import type { Handler } from './filters/filter.ts';
import type { SpecialEndpoints } from './router.ts';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const VERSION: DiscoveredVersion = {
  group: 'policy',
  version: 'v1beta1',
  resources: [
    {
      name: 'podsecuritypolicies',
      singularName: 'podsecuritypolicy',
      namespaced: false,
      kind: 'PodSecurityPolicy',
      verbs: VERBS,
      shortNames: ['psp'],
    },
  ],
};

const WHY =
  'was removed in Kubernetes 1.25; Pod Security is in its place: label namespaces with pod-security.kubernetes.io/enforce';

const refuse: Handler = async ({ info }) => {
  if (info.version !== VERSION.version) throw noSuchPath();
  throw invalid({ group: 'policy', kind: 'PodSecurityPolicy' }, info.name, [forbidden('kind', WHY)]);
};

/** Responds to requests for pod security policies with a pointer to their replacement. */
export const legacyPspEndpoints: SpecialEndpoints = {
  'policy/podsecuritypolicies': Object.fromEntries(VERBS.map((verb) => [verb, refuse])),
};

const known = new WeakMap<readonly DiscoveredVersion[], readonly DiscoveredVersion[]>();

/** Adds the version of pod security policies after the other versions of its group. Returns the identical result for identical input. */
export function withLegacyPsp(versions: readonly DiscoveredVersion[]): readonly DiscoveredVersion[] {
  const made = known.get(versions);
  if (made !== undefined) return made;
  const at = versions.findLastIndex(({ group }) => group === VERSION.group) + 1;
  const all = [...versions.slice(0, at), VERSION, ...versions.slice(at)];
  known.set(versions, all);
  return all;
}
