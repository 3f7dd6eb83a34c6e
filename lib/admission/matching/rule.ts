import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { items, text, texts } from '#lib/machinery/unstructured.ts';
import type { Attributes } from '#lib/registry/admission.ts';

/** `RuleWithOperations`, and of policies `NamedRuleWithOperations`, made ready to be asked often. */
export interface Rule {
  readonly operations: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly versions: ReadonlySet<string>;
  readonly resources: readonly { readonly resource: string; readonly subresource: string }[];
  readonly scope: string;
  /** Empty: any name. */
  readonly names: readonly string[];
}

export function parseRules(from: JsonObject | undefined, field: string): readonly Rule[] {
  return items(from, field).map((rule) => ({
    operations: new Set(texts(rule, 'operations')),
    groups: new Set(texts(rule, 'apiGroups')),
    versions: new Set(texts(rule, 'apiVersions')),
    resources: texts(rule, 'resources').map(splitResource),
    scope: text(rule, 'scope') || '*',
    names: texts(rule, 'resourceNames'),
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

/** Of a namespace itself: its own name, as upstream has it. */
export function namespaceOfRequest({ resource, namespace, name }: Attributes): string {
  return namespace === '' && isNamespace(resource) ? name : namespace;
}

/** Whether a request is one that the rule means, were it about `resource`. */
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

/** Namespaces themselves are of the cluster. */
function inScope({ scope }: Rule, attributes: Attributes, resource: GroupVersionResource): boolean {
  if (scope === '*') return true;
  const ofCluster = isNamespace(resource) || namespaceOfRequest(attributes) === '';
  return (scope === 'Cluster') === ofCluster;
}
