import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { parseApiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import { matchResources, type Criteria } from '../matching/criteria.ts';
import type { Registered } from '../registrations.ts';

/** A binding of a policy, made ready once. */
export interface Binding {
  readonly name: string;
  /** Absent: every request that the policy means. */
  readonly criteria: Criteria | undefined;
  readonly paramRef: JsonObject | undefined;
  readonly spec: JsonObject;
}

/** A policy that is bound, with what `E` its expressions compile to when it is first needed. */
export interface BoundPolicy<E> {
  readonly name: string;
  readonly spec: JsonObject;
  readonly criteria: Criteria;
  readonly paramKind: GroupVersionKind | undefined;
  readonly ignoresFailure: boolean;
  readonly bindings: readonly Binding[];
  readonly evaluator: E;
}

/** The bound policies of one kind, by name; made once for as long as nothing that is registered changes. */
export class BoundPolicies<E> {
  readonly #resource: string;
  readonly #compile: (policy: JsonObject) => E;
  readonly #evaluators = new WeakMap<JsonObject, E>();
  #last: { readonly registered: Registered; readonly policies: readonly BoundPolicy<E>[] } | undefined;

  /** `resource`: `validatingadmissionpolicies` or the mutating ones. */
  constructor(resource: string, compile: (policy: JsonObject) => E) {
    this.#resource = resource;
    this.#compile = compile;
  }

  of(registered: Registered): readonly BoundPolicy<E>[] {
    if (this.#last?.registered === registered) return this.#last.policies;
    const given = registered.get(`${this.#resource.slice(0, -'ies'.length)}ybindings`) ?? [];
    const bindings = Map.groupBy(given, (binding) => text(at(binding, 'spec'), 'policyName'));
    const policies = (registered.get(this.#resource) ?? []).flatMap((policy) => {
      const bound = bindings.get(nameOf(policy));
      return bound === undefined ? [] : [this.#bound(policy, bound)];
    });
    this.#last = { registered, policies };
    return policies;
  }

  #bound(policy: JsonObject, bindings: readonly JsonObject[]): BoundPolicy<E> {
    const spec = objectAt(policy, 'spec') ?? {};
    return {
      name: nameOf(policy),
      spec,
      criteria: matchResources(objectAt(spec, 'matchConstraints')),
      paramKind: paramKindOf(spec),
      ignoresFailure: text(spec, 'failurePolicy') === 'Ignore',
      bindings: bindings.map(parseBinding),
      evaluator: this.#evaluator(policy),
    };
  }

  /** A change of bindings does not compile a policy again. */
  #evaluator(policy: JsonObject): E {
    const known = this.#evaluators.get(policy);
    if (known !== undefined) return known;
    const made = this.#compile(policy);
    this.#evaluators.set(policy, made);
    return made;
  }
}

function parseBinding(binding: JsonObject): Binding {
  const spec = objectAt(binding, 'spec') ?? {};
  const match = objectAt(spec, 'matchResources');
  return {
    name: nameOf(binding),
    criteria: match === undefined ? undefined : matchResources(match),
    paramRef: objectAt(spec, 'paramRef'),
    spec,
  };
}

function paramKindOf(spec: JsonObject): GroupVersionKind | undefined {
  const kind = objectAt(spec, 'paramKind');
  if (kind === undefined) return undefined;
  const { group, version } = parseApiVersion(text(kind, 'apiVersion')) ?? { group: '', version: '' };
  return { group, version, kind: text(kind, 'kind') };
}
