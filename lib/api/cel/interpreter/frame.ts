import { compileMicros } from '#lib/machinery/regexp.ts';
import { CelError, type Result, type Value } from '../values/value.ts';

/** Where an expression finds its variables. Undefined: there is no such variable. */
export interface Activation {
  resolve(name: string): Value | undefined;
}

/** The error of an evaluation that cost more than it was allowed; the one thing thrown, up to `Program.evaluate`. */
export const costLimitExceeded: CelError = new CelError('operation cancelled: actual cost limit exceeded');

/** A million of cost is meant to be a tenth of a second. */
const COST_OF_MICROSECOND = 10;

/** One evaluation: its variables, the slots of its comprehensions, what it cost so far. */
export class Frame {
  readonly activation: Activation;
  readonly slots: (Result | undefined)[];
  readonly limit: number;
  cost = 0;
  /** Patterns that were made of values; each is compiled once. */
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
   * Charges for compiling a pattern that is no constant of the expression, before it is compiled. Upstream charges
   * nothing for it, so that short texts and many patterns, or short patterns that repeat, would take seconds within the
   * limit.
   */
  chargePattern(pattern: string): void {
    this.#patterns ??= new Set();
    if (this.#patterns.has(pattern)) return;
    this.#patterns.add(pattern);
    this.charge(COST_OF_MICROSECOND * compileMicros(pattern));
  }
}

/** A node ready to run. */
export type Step = (frame: Frame) => Result;

/**
 * A planned node. An attribute (a variable with selections on it) is charged once as a whole, when it stands alone:
 * `read` leaves that charge out, since a selection on it or a conditional around it may take the node up.
 */
export type Plan =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'attribute'; readonly read: Step; readonly conditional: boolean }
  | { readonly kind: 'call'; readonly read: Step };

/** The step of a node that stands alone, with all its cost. */
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

/** The step of a node that an attribute takes up. */
export function readOf(plan: Plan): Step {
  return plan.kind === 'constant' ? stepOf(plan) : plan.read;
}

/** A plan that reads a value and then its fields; `conditional` if a `?:` chooses the value. */
export function attribute(read: Step, conditional = false): Plan {
  return { kind: 'attribute', read, conditional };
}
