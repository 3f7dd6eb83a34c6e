import type { Clock } from '#lib/machinery/clock.ts';
import { internalError, invalid } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { quote } from '#lib/machinery/go.ts';
import { annotationsOf, labelsOf } from '#lib/machinery/meta.ts';
import { aggregate, type FieldError } from '#lib/machinery/validation/field.ts';
import { detailsOf, evaluate } from '#lib/policy/pod-security/evaluate.ts';
import { exemptNamespaceWarning } from '#lib/policy/pod-security/exempt-namespace.ts';
import type { PodSecurityConfiguration } from '#lib/policy/pod-security/exemptions.ts';
import { warningsOfExisting } from '#lib/policy/pod-security/existing-pods.ts';
import type { PodView, Violation } from '#lib/policy/pod-security/check.ts';
import {
  compareLevels,
  isPrivileged,
  policyOf,
  policyText,
  samePolicy,
  type LevelVersion,
  type Policy,
} from '#lib/policy/pod-security/policy.ts';
import { isSignificant } from '#lib/policy/pod-security/significance.ts';
import { hasTemplate, templateOf, WORKLOADS } from '#lib/policy/pod-security/templates.ts';
import { ensure, text } from '#lib/registry/kinds/shared/fields.ts';
import type { AdmissionPlugin, Attributes } from '../admission.ts';
import type { Lookup } from '../lookup.ts';
import { refusal } from '../refusal.ts';

const NAMESPACES = { group: '', resource: 'namespaces' };
/** Of a pod; all others change what it runs, or may. */
const HARMLESS: readonly string[] = ['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status'];
/** Annotations of the audit log. */
const ENFORCED = 'pod-security.kubernetes.io/enforce-policy';
const VIOLATIONS = 'pod-security.kubernetes.io/audit-violations';
const EXEMPT = 'pod-security.kubernetes.io/exempt';
const ERROR = 'pod-security.kubernetes.io/error';
/** How long a change of labels may look at the pods that are there, in milliseconds. */
const PATIENCE = 1000;

/** Pods keep to the Pod Security Standards that their namespace's labels name; workloads are warned about theirs. */
export function podSecurity(lookup: Lookup, clock: Clock, configuration: PodSecurityConfiguration): AdmissionPlugin {
  const judge: Judge = { lookup, clock, configuration };
  return {
    name: 'PodSecurity',
    operations: ['CREATE', 'UPDATE'],
    about: ['/pods', '/namespaces', ...WORKLOADS],
    async validate(attributes) {
      const { resource, subresource } = attributes;
      const of = `${resource.group}/${resource.resource}`;
      if (of === '/pods') {
        if (!HARMLESS.includes(subresource)) await checkPod(judge, attributes);
      } else if (subresource !== '') return;
      else if (of === '/namespaces') await checkNamespace(judge, attributes);
      else if (hasTemplate(of)) await checkWorkload(judge, attributes, of);
    },
  };
}

interface Judge {
  readonly lookup: Lookup;
  readonly clock: Clock;
  readonly configuration: PodSecurityConfiguration;
}

const viewOf = (holder: JsonObject): PodView => ({
  annotations: annotationsOf(holder),
  spec: ensure({ ...holder }, 'spec'),
});

async function checkNamespace({ lookup, clock, configuration }: Judge, attributes: Attributes): Promise<void> {
  const { object, oldObject, name, kind, warn } = attributes;
  if (object === undefined) return;
  const { defaults, exemptions } = configuration;
  const { policy, errors } = policyOf(labelsOf(object), defaults);
  const before = oldObject === undefined ? undefined : policyOf(labelsOf(oldObject), defaults);
  const known = before !== undefined && before.errors.length > 0 && aggregate(before.errors) === aggregate(errors);
  if (errors.length > 0 && !known) throw invalid(kind, name, errors);
  if (before !== undefined && !enforcesMore(before.policy.enforce, policy.enforce)) return;
  if (exemptions.namespaces.includes(name)) {
    const warning = exemptNamespaceWarning(name, policy, { labels: labelsOf(object), defaults });
    if (warning !== undefined) warn(warning);
  } else if (before !== undefined) {
    const late = clock.monotonic() + PATIENCE;
    const warnings = warningsOfExisting(await lookup.list({ group: '', resource: 'pods', namespace: name }), {
      namespace: name,
      enforce: policy.enforce,
      exemptRuntimeClasses: exemptions.runtimeClasses,
      isLate: () => clock.monotonic() > late,
    });
    for (const warning of warnings) warn(warning);
  }
}

/** Whether pods that were allowed may now not be. */
function enforcesMore(before: LevelVersion, now: LevelVersion): boolean {
  if (samePolicy(before, now) || now.level === 'privileged') return false;
  return before.version !== now.version || compareLevels(now.level, before.level) > 0;
}

/** Whether nobody judges the request, which is kept for the audit log. */
function isExempt({ configuration: { exemptions } }: Judge, { namespace, user, annotate }: Attributes): boolean {
  const why = exemptions.namespaces.includes(namespace)
    ? 'namespace'
    : exemptions.usernames.includes(user.name)
      ? 'user'
      : undefined;
  if (why !== undefined) annotate(EXEMPT, why);
  return why !== undefined;
}

function isExemptClass({ configuration }: Judge, { spec }: PodView, { annotate }: Attributes): boolean {
  const isIt = configuration.exemptions.runtimeClasses.includes(text(spec, 'runtimeClassName'));
  if (isIt) annotate(EXEMPT, 'runtimeClass');
  return isIt;
}

async function checkPod(judge: Judge, attributes: Attributes): Promise<void> {
  const { object, oldObject, namespace, operation, annotate } = attributes;
  if (object === undefined || isExempt(judge, attributes)) return;
  const found = await judge.lookup.find(NAMESPACES, namespace);
  if (found === undefined) throw internalError(`failed to lookup namespace ${quote(namespace)}`);
  const { policy, errors } = policyOf(labelsOf(found), judge.configuration.defaults);
  const enforced = policyText(policy.enforce);
  if (errors.length === 0 && isPrivileged(policy)) return annotate(ENFORCED, enforced);
  const view = viewOf(object);
  if (operation === 'UPDATE' && oldObject !== undefined && !isSignificant(view.spec, viewOf(oldObject).spec)) return;
  if (isExemptClass(judge, view, attributes)) return;
  annotate(ENFORCED, enforced);
  auditOf(policy, view, { errors, annotate });
  const violations = evaluate(policy.enforce, view);
  if (violations.length > 0)
    throw refusal(attributes, `violates PodSecurity ${quote(enforced)}: ${detailsOf(violations)}`);
  warnOf(policy, view, attributes);
}

async function checkWorkload(judge: Judge, attributes: Attributes, groupResource: string): Promise<void> {
  const { object, namespace, annotate } = attributes;
  if (object === undefined || isExempt(judge, attributes)) return;
  const found = await judge.lookup.find(NAMESPACES, namespace);
  if (found === undefined) return;
  const { policy, errors } = policyOf(labelsOf(found), judge.configuration.defaults);
  if (errors.length === 0 && policy.warn.level === 'privileged' && policy.audit.level === 'privileged') return;
  const template = templateOf(groupResource, object);
  if (template === undefined) return;
  const view = viewOf(template);
  if (isExemptClass(judge, view, attributes)) return;
  auditOf(policy, view, { errors, annotate });
  warnOf(policy, view, attributes);
}

function warnOf({ warn }: Policy, view: PodView, attributes: Attributes): void {
  const violations = evaluate(warn, view);
  if (violations.length > 0) attributes.warn(wouldViolate(warn, violations));
}

interface Audit {
  readonly errors: readonly FieldError[];
  annotate(key: string, value: string): void;
}

function auditOf({ audit }: Policy, view: PodView, { errors, annotate }: Audit): void {
  if (errors.length > 0) annotate(ERROR, `Failed to parse policy: ${aggregate(errors)}`);
  const violations = evaluate(audit, view);
  if (violations.length > 0) annotate(VIOLATIONS, wouldViolate(audit, violations));
}

const wouldViolate = (policy: LevelVersion, violations: readonly Violation[]): string =>
  `would violate PodSecurity ${quote(policyText(policy))}: ${detailsOf(violations)}`;
