import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Wanted } from './wanted.ts';

const GROUP = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' };
/** Says that the server keeps the spec. */
const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };

/** The mandatory flow schemas and priority levels: administrators are never held back, and nobody is left without a level. */
export function flowControl(): Wanted[] {
  return [
    level('exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
    level('catch-all', {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
    }),
    schema('exempt', 1, ['system:masters']),
    schema('catch-all', 10_000, ['system:unauthenticated', 'system:authenticated'], 'ByUser'),
  ];
}

const level = (name: string, spec: JsonObject): Wanted => ({
  resource: { ...GROUP, resource: 'prioritylevelconfigurations' },
  object: { metadata: { name, annotations }, spec },
  kept: ['spec'],
});

function schema(name: string, matchingPrecedence: number, groups: readonly string[], method?: string): Wanted {
  const rules = {
    subjects: groups.map((group) => ({ kind: 'Group', group: { name: group } })),
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  };
  const spec: JsonObject = {
    priorityLevelConfiguration: { name },
    matchingPrecedence,
    rules: [rules],
    ...(method === undefined ? {} : { distinguisherMethod: { type: method } }),
  };
  return {
    resource: { ...GROUP, resource: 'flowschemas' },
    object: { metadata: { name, annotations }, spec },
    kept: ['spec'],
  };
}
