import type {
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationSpec,
} from '#lib/api/types/flowcontrol.v1.ts';

/** Rules that every request of these groups matches. */
const everything = (...groups: string[]): PolicyRulesWithSubjects => ({
  subjects: groups.map((name) => ({ kind: 'Group', group: { name } })),
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
});

/** The specs that the schemas of these names must have, so that every request is of some flow. */
export const MANDATORY_SCHEMAS: Readonly<Record<string, FlowSchemaSpec>> = {
  exempt: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 1,
    rules: [everything('system:masters')],
  },
  'catch-all': {
    priorityLevelConfiguration: { name: 'catch-all' },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: 'ByUser' },
    rules: [everything('system:unauthenticated', 'system:authenticated')],
  },
};

/** The specs that the priority levels of these names must have. */
export const MANDATORY_LEVELS: Readonly<Record<string, PriorityLevelConfigurationSpec>> = {
  exempt: { type: 'Exempt' },
  'catch-all': {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
  },
};
