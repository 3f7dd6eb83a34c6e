import { Draft } from '#lib/api/patch/apply/draft.ts';
import type { TypedSchema } from '#lib/api/patch/apply/schema.ts';
import { admissionDenial, StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { caught, type MaybePromise, soon } from '#lib/machinery/soon.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { AdmissionPlugin, Rounds } from '../admission.ts';
import { RequestViews } from '../cel/request-views.ts';
import type { Match } from '../matching/matcher.ts';
import type { AppliedConfiguration, Live } from '../policy/apply-configuration.ts';
import {
  type Invocation,
  isMisconfigured,
  type Planned,
  type PolicyPorts,
  planInvocations,
} from '../policy/invocations.ts';
import { MutationFault } from '../policy/mutation-fault.ts';
import { type Mutation, Mutator } from '../policy/mutator.ts';
import { BoundPolicies } from '../policy/policy.ts';
import { refusal } from '../refusal.ts';
import { isBeyondPolicies, type Registrations } from '../registrations.ts';
import { Reinvocation } from '../reinvocation.ts';
import { isPatchable, putInOrder, replaceObject, settlePatched } from '../versioned.ts';

/** Applies MutatingAdmissionPolicies to the object, one after another. */
export function mutatingAdmissionPolicy(registrations: Registrations, ports: PolicyPorts): AdmissionPlugin {
  const policies = new BoundPolicies(
    (registered) => ({ policies: registered.mutatingPolicies, bindings: registered.mutatingPolicyBindings }),
    (policy) => new Mutator(policy),
  );
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
  /** Invalid if an expression failed. Forbidden if the policy or its binding is misconfigured. */
  readonly reason: 'Invalid' | 'Forbidden';
}

/** One round of all policies on one request. */
class Run {
  readonly #attributes: Attributes;
  readonly #ports: PolicyPorts;
  readonly #reinvocation: Reinvocation;
  readonly #faults: Fault[] = [];
  readonly #views: RequestViews;
  /** The schema to which the object is known to conform. */
  #typed: TypedSchema | undefined;
  /** The draft of the object itself, after a configuration was merged into it in place. */
  #draft: Draft | undefined;
  #isDefaulted = false;
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
    for (const invocation of invocations) {
      const invoked = this.#invoke(invocation, namespace);
      isDirty = (invoked instanceof Promise ? await invoked : invoked) || isDirty;
    }
    if (!this.#isInOrder) putInOrder(this.#attributes);
    if (isDirty) this.#reinvocation.requireSecond();
    this.#reinvocation.end(this.#attributes);
  }

  /** Returns whether a mutation was applied, even if it changed nothing. */
  #invoke(invocation: Invocation<Mutator>, namespace: JsonObject | undefined): MaybePromise<boolean> {
    const { isConditional } = invocation.policy.evaluator;
    return soon(!isConditional || this.#meets(invocation, namespace), (met) => {
      const key = keyOf(invocation);
      return met && !this.#reinvocation.skips(key) && this.#mutateAll(invocation, namespace, key);
    });
  }

  async #meets(invocation: Invocation<Mutator>, namespace: JsonObject | undefined): Promise<boolean> {
    const { params, match, policy } = invocation;
    const { request } = await this.#views.of(match);
    const met = await policy.evaluator.meets({ request, namespace, params });
    if (typeof met === 'string') this.#fail(invocation, met, 'Invalid');
    return met === true;
  }

  #mutateAll(invocation: Invocation<Mutator>, namespace: JsonObject | undefined, key: string): MaybePromise<boolean> {
    const { mutations, isReinvocable } = invocation.policy.evaluator;
    const applied = mutations.reduce<MaybePromise<boolean>>(
      (before, mutation) =>
        soon(before, (isDirty) => soon(this.#observed(invocation, mutation, namespace), (now) => now || isDirty)),
      false,
    );
    return soon(applied, (isDirty) => {
      if (isReinvocable) this.#reinvocation.listen(key);
      return isDirty;
    });
  }

  /** Returns whether the mutation was applied. If not, adds it to the faults. */
  #observed(
    invocation: Invocation<Mutator>,
    mutation: Mutation,
    namespace: JsonObject | undefined,
  ): MaybePromise<boolean> {
    const observe = this.#ports.metrics.began(invocation.policy.name, invocation.binding.name);
    const applied = (): boolean => {
      observe('', 'allow');
      return true;
    };
    return caught(
      () => soon(this.#mutate(invocation, mutation, namespace), applied),
      (error) => {
        if (!(error instanceof MutationFault)) throw error;
        observe(error.message, 'deny');
        this.#fail(invocation, error.message, 'Invalid');
        return false;
      },
    );
  }

  #mutate(
    { policy, match, params }: Invocation<Mutator>,
    mutation: Mutation,
    namespace: JsonObject | undefined,
  ): MaybePromise<void> {
    return soon(this.#views.of(match), ({ objects: { object }, request }) => {
      if (object === undefined) return undefined;
      const live = this.#live(object, match);
      const mutating = policy.evaluator.mutate(mutation, live, { request, namespace, params });
      return soon(mutating, (made) =>
        'replaced' in made ? this.#replace(match, live, made.replaced) : this.#merge(match, live, made),
      );
    });
  }

  #live(object: JsonObject, match: Match): Live {
    const schema = match.scheme.typed;
    const isTyped = this.#typed === schema;
    if (!isPatchable(this.#attributes, object, match)) return { object, schema, isTyped };
    return { object, schema, isTyped, draft: (this.#draft ??= new Draft(object)) };
  }

  #replace(match: Match, { object }: Live, replaced: JsonObject): MaybePromise<void> {
    this.#typed = undefined;
    if (replaced === object) return undefined;
    this.#forget();
    return replaceObject(this.#attributes, match, replaced, true);
  }

  #merge(match: Match, { object, schema, draft }: Live, { merged, patch }: AppliedConfiguration): MaybePromise<void> {
    const done = (): void => {
      this.#typed = schema;
    };
    if (draft !== undefined) {
      if (draft.isChanged) this.#settle(match, object, patch, draft);
      return done();
    }
    if (merged === object) return done();
    this.#forget();
    return soon(
      faulty(() => replaceObject(this.#attributes, match, merged)),
      done,
    );
  }

  #settle(match: Match, object: JsonObject, patch: JsonObject, draft: Draft): void {
    this.#views.forget();
    this.#isInOrder = false;
    try {
      settlePatched(match, object, patch, this.#isDefaulted);
      this.#isDefaulted = true;
    } catch (error) {
      draft.undo();
      throw faultOf(error);
    }
  }

  /** Discards state about the object because another object replaces it. */
  #forget(): void {
    this.#views.forget();
    this.#draft = undefined;
    this.#isDefaulted = false;
  }

  #fail(planned: Planned<Mutator>, message: string, reason: Fault['reason']): void {
    if (!planned.policy.ignoresFailure) this.#faults.push({ planned, message, reason });
  }
}

/** Attributes the rejection of a merged configuration to the policy. */
const faultOf = (error: unknown): unknown =>
  error instanceof StatusError ? new MutationFault(error.message, { cause: error }) : error;

const faulty = (work: () => MaybePromise<void>): MaybePromise<void> =>
  caught(work, (error) => {
    throw faultOf(error);
  });

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
