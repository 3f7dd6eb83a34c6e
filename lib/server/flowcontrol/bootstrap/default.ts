import type {
  FlowSchemaSpec,
  LimitResponse,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationSpec,
  ResourcePolicyRule,
  Subject,
} from '#lib/api/types/flowcontrol.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { AUTHENTICATED, SYSTEM_MASTERS, UNAUTHENTICATED } from '#lib/server/authentication/user.ts';

/** The annotation that is `true` if the server maintains the spec, and `false` if an operator does. */
export const AUTO_UPDATE = 'apf.kubernetes.io/autoupdate-spec';

/** An initial object of every cluster. `S` is the type of its spec. */
export interface BootstrapObject<S extends JsonObject = JsonObject> {
  readonly name: string;
  readonly spec: S;
  /** Whether the server maintains the spec regardless of its annotation. */
  readonly mandatory: boolean;
}

const EVERY_URL: NonResourcePolicyRule = { verbs: ['*'], nonResourceURLs: ['*'] };
const LEASES = 'coordination.k8s.io leases';

/** The initial priority levels: upstream's mandatory and suggested ones. */
export const BOOTSTRAP_LEVELS: readonly BootstrapObject<PriorityLevelConfigurationSpec>[] = [
  {
    name: 'exempt',
    spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
    mandatory: true,
  },
  { name: 'catch-all', spec: limited(5, 0, { type: 'Reject' }), mandatory: true },
  suggestedLevel('system', 30, 33, 64, 6),
  suggestedLevel('node-high', 40, 25, 64, 6),
  suggestedLevel('leader-election', 10, 0, 16, 4),
  suggestedLevel('workload-high', 40, 50, 128, 6),
  suggestedLevel('workload-low', 100, 90, 128, 6),
  suggestedLevel('global-default', 20, 50, 128, 6),
];

/** The initial flow schemas in order of precedence. */
export const BOOTSTRAP_SCHEMAS: readonly BootstrapObject<FlowSchemaSpec>[] = [
  { ...schema('exempt', 'exempt', 1, '', everything(groups(SYSTEM_MASTERS))), mandatory: true },
  schema('probes', 'exempt', 2, '', {
    subjects: groups(UNAUTHENTICATED, AUTHENTICATED),
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  }),
  schema('system-leader-election', 'leader-election', 100, 'ByUser', {
    subjects: [...users('system:kube-controller-manager', 'system:kube-scheduler'), systemAccounts()],
    resourceRules: [resources(['get', 'create', 'update'], LEASES, false)],
  }),
  schema('system-node-high', 'node-high', 400, 'ByUser', {
    subjects: groups('system:nodes'),
    resourceRules: [resources(['*'], ' nodes nodes/status', true), resources(['*'], LEASES, false)],
  }),
  schema('system-nodes', 'system', 500, 'ByUser', everything(groups('system:nodes'))),
  schema(
    'kube-controller-manager',
    'workload-high',
    800,
    'ByNamespace',
    everything(users('system:kube-controller-manager')),
  ),
  schema('kube-scheduler', 'workload-high', 800, 'ByNamespace', everything(users('system:kube-scheduler'))),
  schema('kube-system-service-accounts', 'workload-high', 900, 'ByNamespace', everything([systemAccounts()])),
  schema('service-accounts', 'workload-low', 9000, 'ByUser', everything(groups('system:serviceaccounts'))),
  schema('global-default', 'global-default', 9900, 'ByUser', everything(groups(UNAUTHENTICATED, AUTHENTICATED))),
  {
    ...schema('catch-all', 'catch-all', 10_000, 'ByUser', everything(groups(UNAUTHENTICATED, AUTHENTICATED))),
    mandatory: true,
  },
];

function limited(
  nominalConcurrencyShares: number,
  lendablePercent: number,
  limitResponse: LimitResponse,
): PriorityLevelConfigurationSpec {
  return { type: 'Limited', limited: { nominalConcurrencyShares, lendablePercent, limitResponse } };
}

function suggestedLevel(
  name: string,
  shares: number,
  lendable: number,
  queues: number,
  handSize: number,
): BootstrapObject<PriorityLevelConfigurationSpec> {
  const queuing = { queues, handSize, queueLengthLimit: 50 };
  return { name, spec: limited(shares, lendable, { type: 'Queue', queuing }), mandatory: false };
}

function schema(
  name: string,
  level: string,
  matchingPrecedence: number,
  method: string,
  rule: PolicyRulesWithSubjects,
): BootstrapObject<FlowSchemaSpec> {
  const spec: FlowSchemaSpec = {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    ...(method === '' ? {} : { distinguisherMethod: { type: method } }),
    rules: [rule],
  };
  return { name, spec, mandatory: false };
}

function everything(subjects: Subject[]): PolicyRulesWithSubjects {
  return { subjects, resourceRules: [resources(['*'], '* *', true)], nonResourceRules: [EVERY_URL] };
}

/** A rule for resources in all namespaces. `of` contains their group and names. */
function resources(verbs: string[], of: string, clusterScope: boolean): ResourcePolicyRule {
  const [group = '', ...names] = of.split(' ');
  return { verbs, apiGroups: [group], resources: names, namespaces: ['*'], ...(clusterScope ? { clusterScope } : {}) };
}

function groups(...names: string[]): Subject[] {
  return names.map((name) => ({ kind: 'Group', group: { name } }));
}

function users(...names: string[]): Subject[] {
  return names.map((name) => ({ kind: 'User', user: { name } }));
}

function systemAccounts(): Subject {
  return { kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } };
}
