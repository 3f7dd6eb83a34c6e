import type { Namespace, Pod, PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import { NAMESPACES, PODS } from '#lib/api/types/resources.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { internalError, invalid } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { annotationsOf, labelsOf } from '#lib/machinery/meta.ts';
import { aggregate, type FieldError } from '#lib/machinery/validation/field.ts';
import type { PodView, Violation } from '#lib/server/policy/pod-security/check.ts';
import { detailsOf, evaluate } from '#lib/server/policy/pod-security/evaluate.ts';
import { exemptNamespaceWarning } from '#lib/server/policy/pod-security/exempt-namespace.ts';
import type { PodSecurityConfiguration } from '#lib/server/policy/pod-security/exemptions.ts';
import { warningsOfExisting } from '#lib/server/policy/pod-security/existing-pods.ts';
import type { PodSecurityMetrics } from '#lib/server/policy/pod-security/metrics.ts';
import {
  compareLevels,
  isPrivileged,
  type LevelVersion,
  type Policy,
  policyOf,
  policyText,
  samePolicy,
} from '#lib/server/policy/pod-security/policy.ts';
import { isSignificant } from '#lib/server/policy/pod-security/significance.ts';
import { hasTemplate, templateOf, WORKLOADS } from '#lib/server/policy/pod-security/templates.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { type AttributesOf, isAbout, refusal } from '../refusal.ts';

/** Subresources of pods that cannot change the fields that the checks read. */
const HARMLESS: readonly string[] = ['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status'];
/** Annotations of the audit log. */
const ENFORCED = 'pod-security.kubernetes.io/enforce-policy';
const VIOLATIONS = 'pod-security.kubernetes.io/audit-violations';
const EXEMPT = 'pod-security.kubernetes.io/exempt';
const ERROR = 'pod-security.kubernetes.io/error';
/** The time limit in ms for checking existing pods after a change of labels. */
const PATIENCE = 1000;

/** The ports and configuration of PodSecurity. */
export interface PodSecurityPorts {
  readonly lookup: Lookup;
  readonly clock: Clock;
  readonly configuration: PodSecurityConfiguration;
  readonly metrics: PodSecurityMetrics;
}

/** Enforces the Pod Security Standards that the namespace's labels select, and warns about workload templates. */
export function podSecurity(judge: PodSecurityPorts): AdmissionPlugin {
  return {
    name: 'PodSecurity',
    operations: ['CREATE', 'UPDATE'],
    about: ['/pods', '/namespaces', ...WORKLOADS],
    async validate(attributes) {
      const { resource, subresource } = attributes;
      if (isAbout(attributes, PODS, subresource)) {
        if (!HARMLESS.includes(subresource)) await checkPod(judge, attributes);
      } else if (isAbout(attributes, NAMESPACES)) await checkNamespace(judge, attributes);
      else {
        const of = `${resource.group}/${resource.resource}`;
        if (subresource === '' && hasTemplate(of)) await checkWorkload(judge, attributes, of);
      }
    },
  };
}

const viewOf = (holder: Pod | PodTemplateSpec): PodView => ({ annotations: annotationsOf(holder), spec: holder.spec });

async function checkNamespace(
  { lookup, clock, configuration }: PodSecurityPorts,
  attributes: AttributesOf<Namespace>,
): Promise<void> {
  const { object, oldObject, name, kind, context } = attributes;
  if (object === undefined) return;
  const { defaults, exemptions } = configuration;
  const { policy, errors } = policyOf(labelsOf(object), defaults);
  const before = oldObject === undefined ? undefined : policyOf(labelsOf(oldObject), defaults);
  const known = before !== undefined && before.errors.length > 0 && aggregate(before.errors) === aggregate(errors);
  if (errors.length > 0 && !known) throw invalid(kind, name, errors);
  if (before !== undefined && !enforcesMore(before.policy.enforce, policy.enforce)) return;
  if (exemptions.namespaces.includes(name)) {
    const warning = exemptNamespaceWarning(name, policy, { labels: labelsOf(object), defaults });
    if (warning !== undefined) context.warn(warning);
  } else if (before !== undefined) {
    const late = clock.monotonic() + PATIENCE;
    const warnings = warningsOfExisting(await lookup.list({ ...PODS, namespace: name }), {
      namespace: name,
      enforce: policy.enforce,
      exemptRuntimeClasses: exemptions.runtimeClasses,
      isLate: () => clock.monotonic() > late,
    });
    for (const warning of warnings) context.warn(warning);
  }
}

/** Whether the change may reject pods that were allowed before. */
function enforcesMore(before: LevelVersion, now: LevelVersion): boolean {
  if (samePolicy(before, now) || now.level === 'privileged') return false;
  return before.version !== now.version || compareLevels(now.level, before.level) > 0;
}

/** Whether the request is exempt. Records the exemption for the audit log. */
function isExempt({ configuration: { exemptions }, metrics }: PodSecurityPorts, attributes: Attributes): boolean {
  const { namespace, user, annotate } = attributes;
  const why = exemptions.namespaces.includes(namespace)
    ? 'namespace'
    : exemptions.usernames.includes(user.name)
      ? 'user'
      : undefined;
  if (why === undefined) return false;
  annotate(EXEMPT, why);
  metrics.exempted(attributes);
  return true;
}

function isExemptClass(
  { configuration, metrics }: PodSecurityPorts,
  { spec }: PodView,
  attributes: Attributes,
): boolean {
  if (!configuration.exemptions.runtimeClasses.includes(spec.runtimeClassName ?? '')) return false;
  attributes.annotate(EXEMPT, 'runtimeClass');
  metrics.exempted(attributes);
  return true;
}

async function checkPod(judge: PodSecurityPorts, attributes: AttributesOf<Pod>): Promise<void> {
  const { object, oldObject, namespace, operation, annotate } = attributes;
  if (object === undefined || isExempt(judge, attributes)) return;
  const found = await judge.lookup.find(NAMESPACES, namespace);
  if (found === undefined) {
    judge.metrics.failed(true, attributes);
    throw internalError(`failed to lookup namespace ${quote(namespace)}`);
  }
  const { policy, errors } = policyOf(labelsOf(found), judge.configuration.defaults);
  const enforced = policyText(policy.enforce);
  const judged = (decision: 'allow' | 'deny'): void =>
    judge.metrics.judged(decision, policy.enforce, 'enforce', attributes);
  if (errors.length === 0 && isPrivileged(policy)) {
    judged('allow');
    return annotate(ENFORCED, enforced);
  }
  const view = viewOf(object);
  if (operation === 'UPDATE' && oldObject !== undefined && !isSignificant(view.spec, viewOf(oldObject).spec)) return;
  if (isExemptClass(judge, view, attributes)) return;
  annotate(ENFORCED, enforced);
  auditOf(judge, policy, view, { errors, attributes });
  const violations = evaluate(policy.enforce, view);
  judged(violations.length === 0 ? 'allow' : 'deny');
  if (violations.length > 0)
    throw refusal(attributes, `violates PodSecurity ${quote(enforced)}: ${detailsOf(violations)}`);
  warnOf(judge, policy, view, attributes);
}

async function checkWorkload(judge: PodSecurityPorts, attributes: Attributes, groupResource: string): Promise<void> {
  const { object, namespace } = attributes;
  if (object === undefined || isExempt(judge, attributes)) return;
  const found = await judge.lookup.find(NAMESPACES, namespace);
  if (found === undefined) return judge.metrics.failed(true, attributes);
  const { policy, errors } = policyOf(labelsOf(found), judge.configuration.defaults);
  if (errors.length === 0 && policy.warn.level === 'privileged' && policy.audit.level === 'privileged') return;
  const template = templateOf(groupResource, object);
  if (template === undefined) return;
  const view = viewOf(template);
  if (isExemptClass(judge, view, attributes)) return;
  auditOf(judge, policy, view, { errors, attributes });
  warnOf(judge, policy, view, attributes);
}

function warnOf({ metrics }: PodSecurityPorts, { warn }: Policy, view: PodView, attributes: Attributes): void {
  const violations = evaluate(warn, view);
  if (violations.length === 0) return;
  attributes.context.warn(wouldViolate(warn, violations));
  metrics.judged('deny', warn, 'warn', attributes);
}

interface Audit {
  readonly errors: readonly FieldError[];
  readonly attributes: Attributes;
}

function auditOf({ metrics }: PodSecurityPorts, { audit }: Policy, view: PodView, { errors, attributes }: Audit): void {
  if (errors.length > 0) {
    attributes.annotate(ERROR, `Failed to parse policy: ${aggregate(errors)}`);
    metrics.failed(false, attributes);
  }
  const violations = evaluate(audit, view);
  if (violations.length === 0) return;
  attributes.annotate(VIOLATIONS, wouldViolate(audit, violations));
  metrics.judged('deny', audit, 'audit', attributes);
}

const wouldViolate = (policy: LevelVersion, violations: readonly Violation[]): string =>
  `would violate PodSecurity ${quote(policyText(policy))}: ${detailsOf(violations)}`;
