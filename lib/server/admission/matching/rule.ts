import type { NamedRuleWithOperations, RuleWithOperations } from '#lib/api/types/admissionregistration.v1.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';

/** A `RuleWithOperations`, or a policy's `NamedRuleWithOperations`, prepared for fast matching. */
export interface Rule {
  readonly operations: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly versions: ReadonlySet<string>;
  readonly resources: readonly { readonly resource: string; readonly subresource: string }[];
  readonly scope: string;
  /** Empty for any name. */
  readonly names: readonly string[];
}

/** Parses the rules in order. Returns an empty list if the list is absent. */
export function parseRules(rules: readonly (RuleWithOperations | NamedRuleWithOperations)[] = []): readonly Rule[] {
  return rules.map((rule) => ({
    operations: new Set(rule.operations),
    groups: new Set(rule.apiGroups),
    versions: new Set(rule.apiVersions),
    resources: (rule.resources ?? []).map(splitResource),
    scope: rule.scope || '*',
    names: 'resourceNames' in rule ? (rule.resourceNames ?? []) : [],
  }));
}

function splitResource(given: string): { resource: string; subresource: string } {
  const slash = given.indexOf('/');
  return slash < 0
    ? { resource: given, subresource: '' }
    : { resource: given.slice(0, slash), subresource: given.slice(slash + 1) };
}

const isNamespace = ({ group, resource, version }: GroupVersionResource): boolean =>
  group === '' && version === 'v1' && resource === 'namespaces';

/** Returns the namespace of a request. For a Namespace, returns its own name, like upstream. Empty for other cluster-scoped resources. */
export function namespaceOfRequest({ resource, namespace, name }: Attributes): string {
  return namespace === '' && isNamespace(resource) ? name : namespace;
}

/** Whether the rule matches the request as if it were a request for `resource`. */
export function matchesRule(rule: Rule, attributes: Attributes, resource: GroupVersionResource): boolean {
  return (
    has(rule.operations, attributes.operation) &&
    has(rule.groups, resource.group) &&
    has(rule.versions, resource.version) &&
    rule.resources.some(
      (one) =>
        (one.resource === '*' || one.resource === resource.resource) &&
        (one.subresource === '*' || one.subresource === attributes.subresource),
    ) &&
    inScope(rule, attributes, resource) &&
    (rule.names.length === 0 || rule.names.includes(attributes.name))
  );
}

const has = (set: ReadonlySet<string>, value: string): boolean => set.has(value) || set.has('*');

/** Namespaces count as cluster-scoped. */
function inScope({ scope }: Rule, attributes: Attributes, resource: GroupVersionResource): boolean {
  if (scope === '*') return true;
  const ofCluster = isNamespace(resource) || namespaceOfRequest(attributes) === '';
  return (scope === 'Cluster') === ofCluster;
}
