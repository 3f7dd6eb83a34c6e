import type { Namespace } from '#lib/api/types/core.v1.ts';
import { NAMESPACES } from '#lib/api/types/resources.ts';
import { internalError, notFound } from '#lib/machinery/errors.ts';
import { isEverything, matches } from '#lib/machinery/labels/selector.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import type { GroupVersionKind, GroupVersionResource } from '#lib/machinery/schema.ts';
import { type MaybePromise, soon } from '#lib/machinery/soon.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { ObjectScheme } from '#lib/server/registry/resource.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { Criteria } from './criteria.ts';
import { matchesRule, namespaceOfRequest, type Rule } from './rule.ts';

/** The version in which a webhook or policy sees a request. */
export interface Match {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly scheme: ObjectScheme;
}

/** Another resource that serves the same objects. */
export type Equivalent = Omit<Match, 'kind'>;

/** Returns the other versions and groups of a resource's objects. */
export type Equivalents = (resource: GroupVersionResource) => MaybePromise<readonly Equivalent[]>;

/** The ports of a Matcher. */
export interface MatcherPorts {
  readonly lookup: Lookup;
  readonly equivalents: Equivalents;
}

/** Decides whether criteria match a request, and in which version. Upstream's rule, namespace and object matchers. */
export class Matcher {
  readonly #ports: MatcherPorts;

  constructor(ports: MatcherPorts) {
    this.#ports = ports;
  }

  /** Returns undefined if the criteria do not match. Throws 404 if the namespace for the selector does not exist. */
  match(criteria: Criteria, attributes: Attributes): MaybePromise<Match | undefined> {
    return soon(this.#byRules(criteria.excluded, criteria, attributes), (excluded) => {
      if (excluded !== undefined) return undefined;
      const all = criteria.emptyMeansAll && criteria.rules.length === 0;
      const matched = all ? asRequested(attributes) : this.#byRules(criteria.rules, criteria, attributes);
      return soon(matched, (match) => {
        if (match === undefined || !selectsObject(criteria, attributes)) return undefined;
        return soon(this.#selectsNamespace(criteria, attributes), (selected) => (selected ? match : undefined));
      });
    });
  }

  /** Returns the namespace of a request. Undefined for cluster-scoped objects. Throws 404 if it does not exist. */
  async namespaceObject({ namespace, kind }: Attributes): Promise<Namespace | undefined> {
    if (namespace === '' || (kind.group === '' && kind.kind === 'Namespace')) return undefined;
    const found = await this.#ports.lookup.find(NAMESPACES, namespace);
    if (found === undefined) throw notFound(NAMESPACES, namespace);
    return found;
  }

  #byRules(rules: readonly Rule[], criteria: Criteria, attributes: Attributes): MaybePromise<Match | undefined> {
    if (rules.length === 0) return undefined;
    if (rules.some((rule) => matchesRule(rule, attributes, attributes.resource))) return asRequested(attributes);
    if (!criteria.equivalent || !rules.some((rule) => mayMatch(rule, attributes))) return undefined;
    return soon(this.#ports.equivalents(attributes.resource), (others) => {
      for (const rule of rules) {
        const found = others.find(({ resource }) => matchesRule(rule, attributes, resource));
        if (found !== undefined) return inVersion(attributes, found);
      }
      return undefined;
    });
  }

  #selectsNamespace({ namespaceSelector }: Criteria, attributes: Attributes): MaybePromise<boolean> {
    if (isEverything(namespaceSelector) || namespaceOfRequest(attributes) === '') return true;
    return soon(this.#namespaceLabels(attributes), (labels) => matches(namespaceSelector, labels));
  }

  /** Returns the labels of the request's namespace. For a write to a Namespace, returns its new labels. */
  async #namespaceLabels(attributes: Attributes): Promise<Record<string, string>> {
    const { resource, subresource, operation, object } = attributes;
    const written = operation === 'CREATE' || operation === 'UPDATE';
    if (resource.group === '' && resource.resource === 'namespaces' && subresource === '' && written) {
      if (object === undefined) throw internalError('a namespace is written without an object');
      return labelsOf(object);
    }
    const name = namespaceOfRequest(attributes);
    const found = await this.#ports.lookup.find(NAMESPACES, name);
    if (found === undefined) throw notFound(NAMESPACES, name);
    return labelsOf(found);
  }
}

const asRequested = ({ resource, kind, scheme }: Attributes): Match => ({ resource, kind, scheme });

/** Objects of a subresource have their own kind, which is the same in every version of the resource. */
function inVersion({ kind, scheme }: Attributes, found: Equivalent): Match {
  return kind.kind === found.scheme.kind.kind
    ? { ...found, kind: found.scheme.kind }
    : { resource: found.resource, kind, scheme };
}

/** Whether the rule can match the request in any group or version. If not, its equivalents are not checked. */
const mayMatch = (rule: Rule, { operation, subresource }: Attributes): boolean =>
  (rule.operations.has(operation) || rule.operations.has('*')) &&
  rule.resources.some((one) => one.subresource === '*' || one.subresource === subresource);

function selectsObject({ objectSelector }: Criteria, { object, oldObject }: Attributes): boolean {
  if (isEverything(objectSelector)) return true;
  return [object, oldObject].some((one) => one !== undefined && matches(objectSelector, labelsOf(one)));
}
