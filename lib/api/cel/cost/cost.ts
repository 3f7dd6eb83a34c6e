import { type CheckedExpr, targetOf } from '../ast/checked.ts';
import type { Call, Comprehension, Expr, Select } from '../ast/expr.ts';
import { accumulator } from '../ast/factory.ts';
import type { Overload } from '../functions/function.ts';
import {
  add,
  type CallEstimate,
  type CostEstimator,
  type CostNode,
  fixed,
  listCost,
  mapCost,
  maxEstimate,
  multiply,
  type Range,
  selectCost,
  structCost,
  union,
  unknownSize,
} from './estimate.ts';
import { type CostedCall, standardCost, withArguments } from './function-cost.ts';
import { TrackedSizes } from './tracked-sizes.ts';

/** Estimates the minimum and maximum run-time cost of an expression: upstream's `checker.Cost`. `has()` is free. */
export function estimateCost(checked: CheckedExpr, estimator: CostEstimator): Range {
  return new Coster(checked, estimator).cost(checked.expr);
}

const free = fixed(0);
const nothingYet: Range = { min: maxEstimate, max: 0 };

class Coster {
  readonly #checked: CheckedExpr;
  readonly #estimator: CostEstimator;
  readonly #sizes: TrackedSizes;

  constructor(checked: CheckedExpr, estimator: CostEstimator) {
    this.#checked = checked;
    this.#estimator = estimator;
    this.#sizes = new TrackedSizes(checked, estimator);
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'literal':
        return free;
      case 'ident':
        return this.#variable(expr, expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr, expr.elements);
      case 'map':
        return this.#map(expr, expr.entries);
      case 'struct':
        return this.#sum(
          structCost,
          expr.fields.map(({ value }) => value),
        );
      case 'comprehension':
        return isBind(expr) ? this.#bind(expr) : this.#comprehension(expr);
    }
  }

  #sum(base: number, parts: readonly Expr[]): Range {
    return parts.map((part) => this.cost(part)).reduce(add, fixed(base));
  }

  #variable(expr: Expr, name: string): Range {
    const resolved = this.#checked.references.get(expr.id)?.name ?? name;
    this.#sizes.setPath(expr, this.#sizes.local(resolved)?.path ?? [resolved]);
    return fixed(selectCost);
  }

  #select(expr: Select): Range {
    const reference = this.#checked.references.get(expr.id);
    if (reference) return this.#variable(expr, reference.name);
    const operand = this.cost(expr.operand);
    if (expr.testOnly) return operand;
    this.#sizes.setPath(expr, [...this.#sizes.pathOf(expr.operand), expr.field]);
    const { kind } = this.#sizes.typeOf(expr.operand);
    return ['map', 'struct', 'param'].includes(kind) ? add(operand, fixed(selectCost)) : operand;
  }

  #call(expr: Call): Range {
    const reference = this.#checked.references.get(expr.id);
    const overloads = reference?.kind === 'function' ? reference.overloads : [];
    const name = reference?.name ?? expr.name;
    const [first] = expr.args;
    if (name === 'dyn' && first) return this.#dyn(expr, first);
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const target = targetOf(this.#checked, expr);
    const args = expr.args.map((arg) => this.#node(arg));
    if (overloads.length === 0) return name === '_?._' ? this.#optSelect(argCosts) : free;
    const targetCost = target ? this.cost(target) : free;
    const call: CostedCall = { expr, target: target && this.#node(target), args, argCosts };
    return add(targetCost, this.#overloads(name, call, overloads));
  }

  /** The checker records only one overload for `operand.?field`. */
  #optSelect(argCosts: readonly Range[]): Range {
    return argCosts.reduce(add, fixed(1));
  }

  #dyn(expr: Call, argument: Expr): Range {
    const cost = add(this.cost(argument), fixed(1));
    this.#sizes.copy(expr, argument);
    return cost;
  }

  /** Returns the range that covers every overload that may be called. */
  #overloads(name: string, call: CostedCall, overloads: readonly Overload[]): Range {
    let cost = nothingYet;
    let resultSize: Range | undefined;
    for (const overload of overloads) {
      const estimate = this.#overload(name, call, overload);
      cost = union(cost, estimate.cost);
      if (estimate.resultSize) resultSize = resultSize ? union(resultSize, estimate.resultSize) : estimate.resultSize;
      resultSize = this.#indexed(call, overload.id, resultSize) ?? this.#sizes.sizeOf(call.expr);
    }
    this.#sizes.setSize(call.expr, resultSize);
    return cost;
  }

  #overload(name: string, call: CostedCall, overload: Overload): CallEstimate {
    const estimate =
      overload.estimate?.(this.#estimator, call.target, call.args) ??
      this.#estimator.estimateCall?.(name, overload.id, call.target, call.args);
    return estimate ? withArguments(estimate, call) : standardCost(call, this.#sizes, overload.id);
  }

  /** Returns the entry size of the indexed container. */
  #indexed({ expr, args }: CostedCall, overloadId: string, size: Range | undefined): Range | undefined {
    const container = args[0]?.expr;
    if (!container || (overloadId !== 'index_list' && overloadId !== 'index_map')) return size;
    const step = overloadId === 'index_list' ? '@items' : '@values';
    this.#sizes.setPath(expr, [...this.#sizes.pathOf(container), step]);
    return this.#sizes.entryOf(container)?.value;
  }

  #node(expr: Expr): CostNode {
    const path = this.#sizes.pathOf(expr);
    const isAccumulator = path[0] === accumulator || path[0] === '__result__';
    const computedSize = this.#sizes.sizeOf(expr);
    return { path: isAccumulator ? [] : path, type: this.#sizes.typeOf(expr), expr, computedSize };
  }

  #sizeOrUnknown(expr: Expr): Range {
    return this.#sizes.sizeOf(expr) ?? unknownSize;
  }

  #list(expr: Expr, elements: readonly Expr[]): Range {
    const cost = this.#sum(listCost, elements);
    this.#sizes.setEntry(expr, { container: 'list', key: fixed(1), value: this.#sizesOf(elements) });
    return cost;
  }

  #map(expr: Expr, entries: readonly { readonly key: Expr; readonly value: Expr }[]): Range {
    const cost = this.#sum(
      mapCost,
      entries.flatMap(({ key, value }) => [key, value]),
    );
    const key = this.#sizesOf(entries.map((entry) => entry.key));
    const value = this.#sizesOf(entries.map((entry) => entry.value));
    this.#sizes.setEntry(expr, { container: 'map', key, value });
    return cost;
  }

  #sizesOf(parts: readonly Expr[]): Range {
    const start = parts.length === 0 ? free : nothingYet;
    return parts.map((part) => this.#sizeOrUnknown(part)).reduce(union, start);
  }

  #pushAccumulator({ accuVar, accuInit }: Comprehension): void {
    const path = this.#sizes.pathOf(accuInit);
    this.#sizes.push(accuVar, { path, size: this.#sizes.sizeOf(accuInit), entry: this.#sizes.entryOf(accuInit) });
  }

  #bind(expr: Comprehension): Range {
    const before = add(this.cost(expr.iterRange), this.cost(expr.accuInit));
    this.#pushAccumulator(expr);
    const result = this.cost(expr.result);
    this.#sizes.pop(expr.accuVar);
    this.#sizes.copy(expr, expr.result);
    return add(before, result);
  }

  #comprehension(expr: Comprehension): Range {
    const before = add(this.cost(expr.iterRange), this.cost(expr.accuInit));
    this.#pushAccumulator(expr);
    this.#pushIterations(expr);
    const round = add(this.cost(expr.loopCondition), this.cost(expr.loopStep));
    this.#sizes.pop(expr.iterVar);
    if (expr.iterVar2 !== undefined) this.#sizes.pop(expr.iterVar2);
    const result = this.cost(expr.result);
    this.#sizes.pop(expr.accuVar);
    const count = this.#sizeOrUnknown(expr.iterRange);
    this.#setResultSize(expr, count);
    return add(add(before, result), multiply(count, round));
  }

  #setResultSize(expr: Comprehension, count: Range): void {
    if (expr.accuInit.kind === 'literal') this.#sizes.setSize(expr, this.#sizes.sizeOf(expr.accuInit));
    if (expr.accuInit.kind !== 'list' && expr.accuInit.kind !== 'map') return;
    this.#sizes.setSize(expr, count);
    this.#sizes.setEntry(expr, this.#sizes.entryOf(expr.loopStep));
  }

  #pushIterations({ iterVar, iterVar2, iterRange }: Comprehension): void {
    const entry = this.#sizes.entryOf(iterRange);
    const path = this.#sizes.pathOf(iterRange);
    const isList = (entry?.container ?? this.#sizes.typeOf(iterRange).kind) === 'list';
    const push = (name: string, step: string, size: Range | undefined) =>
      this.#sizes.push(name, { path: [...path, step], size, entry: undefined });
    if (iterVar2 === undefined) {
      push(iterVar, isList ? '@items' : '@keys', isList ? entry?.value : entry?.key);
    } else {
      push(iterVar, isList ? '@indices' : '@keys', entry?.key);
      push(iterVar2, isList ? '@items' : '@values', entry?.value);
    }
  }
}

/** Whether the comprehension only binds a value to a name, like `optMap`. */
function isBind({ iterRange, loopCondition, accuVar }: Comprehension): boolean {
  const runsNever = loopCondition.kind === 'literal' && loopCondition.value === false;
  return iterRange.kind === 'list' && iterRange.elements.length === 0 && runsNever && accuVar !== '__result__';
}
