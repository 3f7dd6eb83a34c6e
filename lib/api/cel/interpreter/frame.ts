import { compileMicros } from '#lib/machinery/regexp.ts';
import { CelError, type Result, type Value } from '../values/value.ts';

/** Resolves an expression's variables. Undefined means that the variable does not exist. */
export interface Activation {
  resolve(name: string): Value | undefined;
}

/** The error of an evaluation that exceeds its cost limit. It is the only error that is thrown, and only within `Program.evaluate`. */
export const costLimitExceeded: CelError = new CelError('operation cancelled: actual cost limit exceeded');

/** Converts time to cost: one million units of cost should take a tenth of a second. */
const COST_OF_MICROSECOND = 10;

/** One evaluation: its variables, the slots of its comprehensions, and its cost so far. */
export class Frame {
  readonly activation: Activation;
  readonly slots: (Result | undefined)[];
  readonly limit: number;
  cost = 0;
  /** Patterns that are computed at run time. Each is compiled once. */
  #patterns: Set<string> | undefined;

  constructor(activation: Activation, slots: number, limit: number) {
    this.activation = activation;
    this.slots = [];
    for (let i = 0; i < slots; i++) this.slots.push(undefined);
    this.limit = limit;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) throw costLimitExceeded;
  }

  /**
   * Charges for compiling a pattern that is not constant, before it is compiled. Upstream does not charge for it. Without this charge, many
   * patterns on short texts, or patterns with repetitions, would take seconds within the limit.
   */
  chargePattern(pattern: string): void {
    this.#patterns ??= new Set();
    if (this.#patterns.has(pattern)) return;
    this.#patterns.add(pattern);
    this.charge(COST_OF_MICROSECOND * compileMicros(pattern));
  }
}

/** An executable node. */
export type Step = (frame: Frame) => Result;

/**
 * A planned node. An attribute (a variable with selections) is charged once as a whole if no other node extends it. `read` omits that
 * charge, because a selection or a surrounding conditional may extend the attribute.
 */
export type Plan =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'attribute'; readonly read: Step; readonly conditional: boolean }
  | { readonly kind: 'call'; readonly read: Step };

/** Returns the step of a node that is not extended, with its full cost. */
export function stepOf(plan: Plan): Step {
  if (plan.kind === 'constant') {
    const { value } = plan;
    return () => value;
  }
  const { read } = plan;
  if (plan.kind === 'call' || plan.conditional) return read;
  return (frame) => {
    const result = read(frame);
    frame.charge(1);
    return result;
  };
}

/** Returns the step of a node that becomes part of an attribute. */
export function readOf(plan: Plan): Step {
  return plan.kind === 'constant' ? stepOf(plan) : plan.read;
}

/** Returns a plan that reads a value and then its fields; `conditional` if a `?:` chooses the value. */
export function attribute(read: Step, conditional = false): Plan {
  return { kind: 'attribute', read, conditional };
}
