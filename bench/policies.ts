import { systemClock } from '#adapters/clock.ts';
import { decodedAs } from '#lib/api/testing.ts';
import {
  MUTATING_ADMISSION_POLICIES,
  MUTATING_ADMISSION_POLICY_BINDINGS,
  VALIDATING_ADMISSION_POLICIES,
  VALIDATING_ADMISSION_POLICY_BINDINGS,
} from '#lib/api/types/resources.ts';
import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import { type AdmissionPlugin, admissionBy } from '#lib/server/admission/admission.ts';
import { Matcher } from '#lib/server/admission/matching/matcher.ts';
import { mutatingAdmissionPolicy } from '#lib/server/admission/plugins/mutating-admission-policy.ts';
import { validatingAdmissionPolicy } from '#lib/server/admission/plugins/validating-admission-policy.ts';
import { PolicyMetrics } from '#lib/server/admission/policy/metrics.ts';
import { Params } from '#lib/server/admission/policy/params.ts';
import { NOTHING_REGISTERED, type RegisteredObjects } from '#lib/server/admission/registrations.ts';
import { anAttributes, lookupOf } from '#lib/server/admission/testing.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import { builtInScheme } from '#lib/server/registry/built-in-scheme.ts';
import { appsStrategies } from '#lib/server/registry/kinds/apps/strategies.ts';

const COUNT = 100;
const ROUNDS = 11;
const CALLS = 300;
const SCHEME = builtInScheme({ group: 'apps', version: 'v1', kind: 'Deployment' }, appsStrategies['apps/deployments']);
const RULE = { operations: ['*'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
const matchConstraints = { resourceRules: [RULE], namespaceSelector: {}, objectSelector: {} };

const deployment: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'here', labels: { app: 'web', tier: 'front' } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: ['web', 'proxy'].map((name) => ({
          name,
          image: `registry.example/${name}:1.2.3`,
          resources: { limits: { cpu: '100m', memory: '128Mi' } },
          securityContext: { runAsNonRoot: true },
        })),
      },
    },
  },
};

const validations = [
  'object.spec.replicas <= variables.most',
  "variables.containers.all(c, c.image.startsWith('registry.example/'))",
  'variables.containers.all(c, has(c.resources.limits) && has(c.resources.limits.memory))',
].map((expression) => ({ expression, messageExpression: "'refused: ' + object.metadata.name" }));

const variables = [
  { name: 'containers', expression: 'object.spec.template.spec.containers' },
  { name: 'most', expression: 'request.operation == "CREATE" ? 5 : 10' },
];

const policy = (name: string, spec: JsonObject): JsonObject => ({
  metadata: { name },
  spec: { failurePolicy: 'Fail', matchConstraints, ...spec },
});
const binding = (name: string): JsonObject => ({
  metadata: { name },
  spec: { policyName: name, validationActions: ['Deny'] },
});

function registered(kind: 'validating' | 'mutating', specOf: (name: string) => JsonObject): RegisteredObjects {
  const names = Array.from({ length: COUNT }, (_, i) => `policy-${i}`);
  const policies = names.map((name) => policy(name, specOf(name)));
  const bindings = names.map(binding);
  return kind === 'validating'
    ? {
        ...NOTHING_REGISTERED,
        validatingPolicies: policies.map((one) => decodedAs(VALIDATING_ADMISSION_POLICIES, one)),
        validatingPolicyBindings: bindings.map((one) => decodedAs(VALIDATING_ADMISSION_POLICY_BINDINGS, one)),
      }
    : {
        ...NOTHING_REGISTERED,
        mutatingPolicies: policies.map((one) => decodedAs(MUTATING_ADMISSION_POLICIES, one)),
        mutatingPolicyBindings: bindings.map((one) => decodedAs(MUTATING_ADMISSION_POLICY_BINDINGS, one)),
      };
}

const PORTS = {
  authorizer: async () => ({ decision: 'noOpinion', reason: '' }) as const,
  matcher: new Matcher({
    lookup: lookupOf({ '/namespaces': [{ metadata: { name: 'here' } }] }),
    equivalents: async () => [],
  }),
  params: new Params({ cluster: 'main', resourceOfKind: async () => undefined }),
  metrics: new PolicyMetrics('validating', systemClock),
};

function aCreate(): Attributes {
  const object = clone(deployment);
  const asked = anAttributes({
    group: 'apps',
    resource: 'deployments',
    kind: 'Deployment',
    namespace: 'here',
    name: 'web',
    object,
  });
  return { ...asked, scheme: SCHEME };
}

/** Measures 100 compiled policies on an object that matches all of them. The bar is 1 ms. */
export async function measurePolicies(): Promise<void> {
  const single = registered('validating', () => ({ validations: [{ expression: 'object.spec.replicas <= 10' }] }));
  await measure('validating policies of one expression', [
    validatingAdmissionPolicy({ of: async () => single }, PORTS),
  ]);
  const judging = registered('validating', () => ({ variables, validations }));
  await measure('validating policies of three expressions and two variables', [
    validatingAdmissionPolicy({ of: async () => judging }, PORTS),
  ]);
  const passing = registered('mutating', () => ({
    matchConditions: [
      { name: 'labelled', expression: '!("team" in object.metadata.labels) && object.spec.replicas > 100' },
    ],
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
  }));
  await measure('mutating policies whose condition does not hold', [
    mutatingAdmissionPolicy({ of: async () => passing }, PORTS),
  ]);
  const annotated = (name: string): JsonObject => {
    const expression = `Object{metadata: Object.metadata{annotations: {"${name}": object.metadata.name}}}`;
    return { mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }] };
  };
  const same = registered('mutating', () => annotated('seen'));
  await measure('mutating policies of which the first finds something to change', [
    mutatingAdmissionPolicy({ of: async () => same }, PORTS),
  ]);
  const changing = registered('mutating', annotated);
  await measure('mutating policies that each add an annotation', [
    mutatingAdmissionPolicy({ of: async () => changing }, PORTS),
  ]);
}

async function measure(what: string, plugins: readonly AdmissionPlugin[]): Promise<void> {
  const admission = admissionBy({ plugins });
  const judge = async (): Promise<void> => {
    const attributes = aCreate();
    await admission.admit(attributes);
    await admission.validate(attributes);
  };
  const started = performance.now();
  await judge();
  const first = performance.now() - started;
  const micros = await costOf(judge);
  console.log(`${COUNT} ${what}: ${micros.toFixed(0)} µs an object (bar 1000), the first ${first.toFixed(0)} ms`);
}

/** Processor time in microseconds for one call after a warm-up: the minimum of ten rounds, which other load affects least. */
async function costOf(work: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const started = process.cpuUsage();
    for (let i = 0; i < CALLS; i++) await work();
    const { user, system } = process.cpuUsage(started);
    if (round > 0) least = Math.min(least, (user + system) / CALLS);
  }
  return least;
}
