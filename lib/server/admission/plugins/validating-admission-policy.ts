import { admissionDenial, type StatusError } from '#lib/machinery/errors.ts';
import { marshal } from '#lib/machinery/go.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { RequestViews } from '../cel/request-views.ts';
import {
  type Invocation,
  isMisconfigured,
  type Planned,
  type PolicyPorts,
  planInvocations,
} from '../policy/invocations.ts';
import type { PolicyMetrics } from '../policy/metrics.ts';
import { BoundPolicies } from '../policy/policy.ts';
import { type Failure, Validator, type Verdict } from '../policy/validator.ts';
import { refusal } from '../refusal.ts';
import { isBeyondPolicies, type Registrations } from '../registrations.ts';

const FAILURE_KEY = 'validation.policy.admission.k8s.io/validation_failure';
/** The maximum length in characters of a value in the audit log. */
const MAX_ANNOTATION = 10 * 1024;

/** Evaluates all ValidatingAdmissionPolicies that match a request. The first denial becomes the response. */
export function validatingAdmissionPolicy(registrations: Registrations, ports: PolicyPorts): AdmissionPlugin {
  const policies = new BoundPolicies(
    (registered) => ({ policies: registered.validatingPolicies, bindings: registered.validatingPolicyBindings }),
    (policy) => new Validator(policy),
  );
  return {
    name: 'ValidatingAdmissionPolicy',
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    async validate(attributes) {
      if (isBeyondPolicies(attributes)) return;
      const bound = policies.of(await registrations.of(attributes));
      if (bound.length > 0)
        await new Judgement(attributes, ports).judge(await planInvocations(bound, attributes, ports));
    },
  };
}

type Observe = ReturnType<PolicyMetrics['began']>;

/** Metric labels of a binding's actions. */
const ACTIONS: ReadonlyMap<string, Parameters<Observe>[1]> = new Map([
  ['Deny', 'deny'],
  ['Audit', 'audit'],
  ['Warn', 'warn'],
]);

type Denial = Pick<Failure, 'message' | 'reason'>;

/** The evaluation of all policies on one request. */
class Judgement {
  readonly #attributes: Attributes;
  readonly #ports: PolicyPorts;
  readonly #views: RequestViews;
  readonly #annotations = new Map<string, Set<string>>();
  #denial: Denial | undefined;

  constructor(attributes: Attributes, ports: PolicyPorts) {
    this.#attributes = attributes;
    this.#ports = ports;
    this.#views = new RequestViews(attributes, ports.authorizer);
  }

  async judge(plan: readonly Planned<Validator>[]): Promise<void> {
    const namespace = plan.every(isMisconfigured)
      ? undefined
      : await this.#ports.matcher.namespaceObject(this.#attributes);
    for (const planned of plan) {
      if (isMisconfigured(planned)) {
        if (!planned.policy.ignoresFailure) this.#deny(planned, { message: planned.message, reason: '' });
        continue;
      }
      const { policy, match, params } = planned;
      const { request } = await this.#views.of(match);
      const observe = this.#ports.metrics.began(policy.name, planned.binding.name);
      this.#take(planned, await policy.evaluator.validate({ request, namespace, params }), observe);
    }
    for (const [key, values] of this.#annotations) this.#attributes.annotate(key, [...values].join(', '));
    if (this.#denial !== undefined) throw denialOf(this.#attributes, this.#denial);
  }

  #take(invocation: Invocation<Validator>, verdict: Verdict, observe: Observe): void {
    const { failures, annotations, annotationErrors } = verdict;
    for (const failure of failures) this.#act(invocation, failure, observe);
    for (const [name, value] of annotations) {
      const key = `${invocation.policy.name}/${name}`;
      const known = this.#annotations.get(key) ?? new Set();
      this.#annotations.set(key, known.add(value.slice(0, MAX_ANNOTATION)));
    }
    for (const message of annotationErrors) {
      observe(message, 'deny');
      this.#deny(invocation, { message, reason: '' });
    }
  }

  #act(invocation: Invocation<Validator>, failure: Failure, observe: Observe): void {
    const { policy, binding } = invocation;
    const actions = binding.validationActions;
    for (const action of actions) {
      const enforced = ACTIONS.get(action);
      if (enforced !== undefined) observe(failure.message, enforced);
      if (action === 'Deny') this.#deny(invocation, failure);
      if (action === 'Audit') this.#attributes.annotate(FAILURE_KEY, audited(invocation, failure, actions));
      if (action !== 'Warn') continue;
      const who = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
      this.#attributes.context.warn(`Validation failed for ${who}: ${failure.message}`);
    }
  }

  #deny({ policy, binding }: Planned<Validator>, { message, reason }: Denial): void {
    const by = binding === undefined ? '' : ` with binding '${binding.name}'`;
    this.#denial ??= { message: `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${message}`, reason };
  }
}

const CODES: ReadonlyMap<string, number> = new Map([
  ['Forbidden', 403],
  ['Unauthorized', 401],
  ['RequestEntityTooLarge', 413],
]);

function denialOf(attributes: Attributes, { message: why, reason }: Denial): StatusError {
  const { message, details } = refusal(attributes, why);
  const code = CODES.get(reason) ?? 422;
  return admissionDenial({
    message,
    reason: reason || 'Invalid',
    code,
    details: { ...details, causes: [{ message: why }] },
  });
}

function audited(
  { policy, binding }: Invocation<Validator>,
  { index, message }: Failure,
  actions: readonly string[],
): string {
  const failure = new Map<string, unknown>([
    ['message', message],
    ['policy', policy.name],
    ['binding', binding.name],
    ['expressionIndex', index],
    ['validationActions', actions],
  ]);
  return marshal([failure]);
}
