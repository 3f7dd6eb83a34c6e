import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '#lib/api/types/admissionregistration.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { type GroupVersionKind, parseApiVersion } from '#lib/machinery/schema.ts';
import { type Criteria, matchResources } from '../matching/criteria.ts';
import type { RegisteredObjects } from '../registrations.ts';

/** A binding of a policy, parsed once. */
export interface Binding {
  readonly name: string;
  /** Undefined if the binding matches every request that the policy matches. */
  readonly criteria: Criteria | undefined;
  readonly paramRef: ParamRef | undefined;
  /** Empty for a binding of a mutating policy. */
  readonly validationActions: readonly string[];
}

/** A policy with bindings. `E` compiles its expressions on first use. */
export interface BoundPolicy<E> {
  readonly name: string;
  readonly criteria: Criteria;
  readonly paramKind: GroupVersionKind | undefined;
  readonly ignoresFailure: boolean;
  readonly bindings: readonly Binding[];
  readonly evaluator: E;
}

type Policy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;
type PolicyBinding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding;

/** The policies of one kind, and their bindings. */
interface Policies<P extends Policy> {
  readonly policies: readonly P[];
  readonly bindings: readonly PolicyBinding[];
}

/** The bound policies of one kind, by name. They are rebuilt only if the registered objects change. */
export class BoundPolicies<P extends Policy, E> {
  readonly #ofKind: (registered: RegisteredObjects) => Policies<P>;
  readonly #compile: (policy: P) => E;
  readonly #evaluators = new WeakMap<P, E>();
  #last: { readonly registered: RegisteredObjects; readonly policies: readonly BoundPolicy<E>[] } | undefined;

  constructor(ofKind: (registered: RegisteredObjects) => Policies<P>, compile: (policy: P) => E) {
    this.#ofKind = ofKind;
    this.#compile = compile;
  }

  of(registered: RegisteredObjects): readonly BoundPolicy<E>[] {
    if (this.#last?.registered === registered) return this.#last.policies;
    const given = this.#ofKind(registered);
    const bindings = Map.groupBy(given.bindings, ({ spec }) => spec.policyName ?? '');
    const policies = given.policies.flatMap((policy) => {
      const bound = bindings.get(nameOf(policy));
      return bound === undefined ? [] : [this.#bound(policy, bound)];
    });
    this.#last = { registered, policies };
    return policies;
  }

  #bound(policy: P, bindings: readonly PolicyBinding[]): BoundPolicy<E> {
    const { matchConstraints, paramKind, failurePolicy } = policy.spec;
    return {
      name: nameOf(policy),
      criteria: matchResources(matchConstraints),
      paramKind: paramKind && kindOf(paramKind),
      ignoresFailure: failurePolicy === 'Ignore',
      bindings: bindings.map(parseBinding),
      evaluator: this.#evaluator(policy),
    };
  }

  /** Reuses the evaluator, so that a change of bindings does not recompile the policy. */
  #evaluator(policy: P): E {
    const known = this.#evaluators.get(policy);
    if (known !== undefined) return known;
    const made = this.#compile(policy);
    this.#evaluators.set(policy, made);
    return made;
  }
}

function parseBinding(binding: PolicyBinding): Binding {
  const { spec } = binding;
  return {
    name: nameOf(binding),
    criteria: spec.matchResources && matchResources(spec.matchResources),
    paramRef: spec.paramRef,
    validationActions: 'validationActions' in spec ? (spec.validationActions ?? []) : [],
  };
}

function kindOf({ apiVersion = '', kind = '' }: ParamKind): GroupVersionKind {
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  return { group, version, kind };
}
