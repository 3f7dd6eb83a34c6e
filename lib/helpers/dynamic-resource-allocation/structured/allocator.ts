import type { AllocationResult, ResourceClaim, ResourceSlice } from '#lib/api/types/resource.v1.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import type { AllocatedState } from './allocated-state.ts';
import { AllocationError } from './allocation-error.ts';
import { Attempt, MAX_RESULTS, type Pace, type Wanting } from './attempt.ts';
import { type Constraint, constraintOf } from './constraint.ts';
import { gatherPools } from './pools.ts';
import { keyOf, type RequestContext, requestsOf } from './request.ts';
import { allocationResult } from './result.ts';
import { type LocatedDevice, type Slice, sliceOf } from './slice.ts';

/** Allocates devices to claims: upstream's structured.Allocator. Valid for one scheduling attempt of a pod. */
export class Allocator {
  readonly #state: AllocatedState;
  readonly #slices: readonly Slice[];
  readonly #shared: readonly Slice[];
  readonly #byNode: ReadonlyMap<string, readonly Slice[]>;
  readonly #deviceClass: RequestContext['deviceClass'];

  constructor(of: {
    readonly state: AllocatedState;
    readonly slices: Iterable<ResourceSlice>;
    readonly deviceClass: RequestContext['deviceClass'];
  }) {
    this.#state = of.state;
    this.#deviceClass = of.deviceClass;
    this.#slices = Array.from(of.slices, sliceOf);
    const isShared = ({ place, counterSets }: Slice): boolean => place.nodeName === '' || counterSets.length > 0;
    this.#shared = this.#slices.filter(isShared);
    this.#byNode = Map.groupBy(
      this.#slices.filter((slice) => !isShared(slice)),
      ({ place }) => place.nodeName,
    );
  }

  /**
   * Returns an AllocationResult for each claim, or undefined if the node lacks devices. `onStep` is called before each step of the search,
   * and may throw to end it. Pauses regularly. Throws AllocationError.
   */
  *allocate(
    node: LocatedDevice,
    claims: readonly ResourceClaim[],
    onStep: () => void = () => {},
  ): Steps<AllocationResult[] | undefined> {
    const pools = gatherPools(node, [...(this.#byNode.get(node.name) ?? []), ...this.#shared], this.#slices);
    const pace: Pace = { hasAsked: false };
    const onSelectors = (): void => {
      onStep();
      pace.hasAsked = true;
    };
    const context: RequestContext = { node, pools, deviceClass: this.#deviceClass, onSelectors };
    const wanting: Wanting[] = [];
    for (const claim of claims) {
      wanting.push(wantingOf(claim, context));
      yield;
    }
    const attempt = new Attempt(wanting, pools, { state: this.#state, onStep, pace });
    if (yield* attempt.run()) return wanting.map((one, i) => allocationResult(one, attempt.taken[i] ?? [], node.name));
    if (pools.some(({ isInvalid }) => isInvalid))
      throw new AllocationError('invalid resource pools were encountered', { onNode: true });
    return undefined;
  }
}

function wantingOf(claim: ResourceClaim, context: RequestContext): Wanting {
  const requests = requestsOf(claim, context);
  const least = requests.reduce((sum, some) => sum + Math.min(...some.map(({ numDevices }) => numDevices)), 0);
  if (least > MAX_RESULTS)
    throw new AllocationError(
      `claim ${keyOf(claim)}: number of requested devices ${least} exceeds the claim limit of ${MAX_RESULTS}`,
    );
  return { claim, requests, constraints: constraintsOf(claim) };
}

const constraintsOf = (claim: ResourceClaim): Constraint[] =>
  (claim.spec.devices.constraints ?? []).map((object, i) => {
    const constraint = constraintOf(object);
    if (constraint !== undefined) return constraint;
    const why = 'empty constraint (unsupported constraint type?)';
    throw new AllocationError(`claim ${keyOf(claim)}, constraint #${i}: ${why}`);
  });
