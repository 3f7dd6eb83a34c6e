import { admissionDenial, StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { TypedSchema } from '#lib/patch/apply/schema.ts';
import type { AdmissionPlugin, Attributes, Rounds } from '../admission.ts';
import { RequestViews } from '../cel/request-views.ts';
import type { Match } from '../matching/matcher.ts';
import {
  isMisconfigured,
  planInvocations,
  type Invocation,
  type Planned,
  type PolicyPorts,
} from '../policy/invocations.ts';
import { MutationFault } from '../policy/mutation-fault.ts';
import { Mutator, type Mutation } from '../policy/mutator.ts';
import { BoundPolicies } from '../policy/policy.ts';
import { refusal } from '../refusal.ts';
import { isBeyondPolicies, type Registrations } from '../registrations.ts';
import { Reinvocation } from '../reinvocation.ts';
import { caught, type Soon } from '../soon.ts';
import { putInOrder, replaceObject, replacePatched, type Patched } from '../versioned.ts';

/** Lets MutatingAdmissionPolicies change the object, one after the other. */
export function mutatingAdmissionPolicy(registrations: Registrations, ports: PolicyPorts): AdmissionPlugin {
  const policies = new BoundPolicies('mutatingadmissionpolicies', (policy) => new Mutator(policy));
  const memory = new WeakMap<Rounds, Reinvocation>();
  return {
    name: 'MutatingAdmissionPolicy',
    operations: ['CREATE', 'UPDATE'],
    async admit(attributes, rounds) {
      if (isBeyondPolicies(attributes)) return;
      const bound = policies.of(await registrations.of(attributes));
      if (bound.length === 0) return;
      const reinvocation = memory.get(rounds) ?? new Reinvocation(rounds);
      memory.set(rounds, reinvocation);
      await new Run(attributes, ports, reinvocation).run(await planInvocations(bound, attributes, ports));
    },
  };
}

interface Fault {
  readonly planned: Planned<Mutator>;
  readonly message: string;
  /** What an expression got wrong is said to be invalid, what is not in order to be forbidden. */
  readonly reason: 'Invalid' | 'Forbidden';
}

/** All policies over one request, in one round. */
class Run {
  readonly #attributes: Attributes;
  readonly #ports: PolicyPorts;
  readonly #reinvocation: Reinvocation;
  readonly #faults: Fault[] = [];
  readonly #views: RequestViews;
  /** The schema that the object is known to follow. */
  #typed: TypedSchema | undefined;
  #isInOrder = true;

  constructor(attributes: Attributes, ports: PolicyPorts, reinvocation: Reinvocation) {
    this.#attributes = attributes;
    this.#ports = ports;
    this.#views = new RequestViews(attributes, ports.authorizer);
    this.#reinvocation = reinvocation;
  }

  async run(plan: readonly Planned<Mutator>[]): Promise<void> {
    const invocations: Invocation<Mutator>[] = [];
    for (const planned of plan) {
      if (isMisconfigured(planned)) this.#fail(planned, planned.message, 'Forbidden');
      else invocations.push(planned);
    }
    if (invocations.length > 0) await this.#invokeAll(invocations);
    if (this.#faults.length > 0) throw denialOf(this.#attributes, this.#faults);
  }

  async #invokeAll(invocations: readonly Invocation<Mutator>[]): Promise<void> {
    const namespace = await this.#ports.matcher.namespaceObject(this.#attributes);
    this.#reinvocation.begin(this.#attributes);
    let isDirty = false;
    for (const invocation of invocations) isDirty = (await this.#invoke(invocation, namespace)) || isDirty;
    if (!this.#isInOrder) putInOrder(this.#attributes);
    if (isDirty) this.#reinvocation.requireSecond();
    this.#reinvocation.end(this.#attributes);
  }

  /** Whether a mutation was applied, changed or not. */
  async #invoke(invocation: Invocation<Mutator>, namespace: JsonObject | undefined): Promise<boolean> {
    const { evaluator } = invocation.policy;
    const { params, match } = invocation;
    if (evaluator.isConditional) {
      const { request } = await this.#views.of(match);
      const met = await evaluator.meets({ request, namespace, params });
      if (typeof met === 'string') this.#fail(invocation, met, 'Invalid');
      if (met !== true) return false;
    }
    const key = keyOf(invocation);
    if (this.#reinvocation.skips(key)) return false;
    let isDirty = false;
    for (const mutation of evaluator.mutations) {
      const observe = this.#ports.metrics.began(invocation.policy.name, invocation.binding.name);
      try {
        await this.#mutate(invocation, mutation, namespace);
        observe('', 'allow');
        isDirty = true;
      } catch (error) {
        if (!(error instanceof MutationFault)) throw error;
        observe(error.message, 'deny');
        this.#fail(invocation, error.message, 'Invalid');
      }
    }
    if (evaluator.isReinvocable) this.#reinvocation.listen(key);
    return isDirty;
  }

  async #mutate(
    { policy, match, params }: Invocation<Mutator>,
    mutation: Mutation,
    namespace: JsonObject | undefined,
  ): Promise<void> {
    const view = this.#views.of(match);
    const { objects, request } = view instanceof Promise ? await view : view;
    const { object } = objects;
    if (object === undefined) return;
    const schema = match.scheme.typed;
    const live = { object, schema, isTyped: this.#typed === schema };
    const mutating = policy.evaluator.mutate(mutation, live, { request, namespace, params });
    const { mutated, patch } = mutating instanceof Promise ? await mutating : mutating;
    if (mutated !== object) {
      this.#views.forget();
      if (patch === undefined) await replaceObject(this.#attributes, match, mutated, true);
      else await this.#merge(match, { live: object, patch, merged: mutated });
    }
    this.#typed = patch === undefined ? undefined : schema;
  }

  #merge(match: Match, patched: Patched): Soon<void> {
    if (patched.live === this.#attributes.object) this.#isInOrder = false;
    return caught(
      () => replacePatched(this.#attributes, match, patched),
      (error) => {
        throw error instanceof StatusError ? new MutationFault(error.message, { cause: error }) : error;
      },
    );
  }

  #fail(planned: Planned<Mutator>, message: string, reason: Fault['reason']): void {
    if (!planned.policy.ignoresFailure) this.#faults.push({ planned, message, reason });
  }
}

const keyOf = ({ policy, binding, params }: Invocation<Mutator>): string =>
  `${policy.name}/${binding.name}/${params ? `${namespaceOf(params)}/${nameOf(params)}` : '/'}`;

function denialOf(attributes: Attributes, faults: readonly Fault[]): StatusError {
  const messages = faults.map(({ planned: { policy, binding }, message }) =>
    binding === undefined
      ? `policy ${quote(policy.name)} denied request: ${message}`
      : `policy '${policy.name}' with binding '${binding.name}' denied request: ${message}`,
  );
  const { details } = refusal(attributes, '');
  const causes = messages.map((message) => ({ message }));
  return admissionDenial({
    message: messages[0] ?? '',
    reason: faults[0]?.reason ?? 'Forbidden',
    code: 403,
    details: { ...details, causes },
  });
}
