import { type CheckedExpr, qualifiedName, type Reference } from '../ast/checked.ts';
import type { Call, Comprehension, Expr, Ident, List, MapLiteral, Select, Struct } from '../ast/expr.ts';
import type { Environment } from '../environment.ts';
import { operators } from '../parser/operators.ts';
import type { Issue } from '../parser/source.ts';
import { formatType } from '../types/format.ts';
import {
  boolType,
  dynType,
  errorType,
  intType,
  isDyn,
  isOptional,
  listType,
  mapType,
  optionalType,
  paramType,
  stringType,
  type Type,
} from '../types/type.ts';
import { typeOf } from '../values/type-of.ts';
import { isAssignable, mostGeneral } from './assignable.ts';
import { type Candidate, resolveOverloads } from './overloads.ts';
import { Scope } from './scope.ts';
import { Substitution } from './substitution.ts';

/** A checked expression and its type errors. */
export interface Checked extends CheckedExpr {
  readonly issues: readonly Issue[];
}

/** Determines the type of every node and the reference of every name. */
export function check(expr: Expr, positions: readonly number[], environment: Environment): Checked {
  return new Checker(positions, environment).run(expr);
}

class Checker {
  readonly #positions: readonly number[];
  readonly #environment: Environment;
  readonly #issues: Issue[] = [];
  readonly #types: (Type | undefined)[] = [];
  readonly #references = new Map<number, Reference>();
  readonly #bindings = new Substitution();
  #scope: Scope;
  #fresh = 0;

  constructor(positions: readonly number[], environment: Environment) {
    this.#positions = positions;
    this.#environment = environment;
    this.#scope = new Scope(environment);
  }

  run(expr: Expr): Checked {
    this.#check(expr);
    const types = this.#types.map((type) => type && this.#bindings.apply(type, true));
    return { expr, types, references: this.#references, issues: this.#issues };
  }

  #check(expr: Expr): Type {
    const type = this.#typeOf(expr);
    this.#types[expr.id] = type;
    return type;
  }

  #typeOf(expr: Expr): Type {
    switch (expr.kind) {
      case 'literal':
        return typeOf(expr.value);
      case 'ident':
        return this.#ident(expr);
      case 'select':
        return this.#select(expr);
      case 'call':
        return expr.name === operators.optSelect ? this.#optSelect(expr) : this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#struct(expr);
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #report(id: number, message: string): void {
    this.#issues.push({ offset: this.#positions[id] ?? -1, message });
  }

  #mismatch(id: number, expected: Type, found: Type): void {
    this.#report(id, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
  }

  #undeclared(id: number, name: string): Type {
    this.#report(id, `undeclared reference to '${name}' (in container '${this.#environment.container}')`);
    return errorType;
  }

  #ident(expr: Ident): Type {
    const found = this.#scope.identifier(expr.name);
    if (!found) return this.#undeclared(expr.id, expr.name);
    this.#references.set(expr.id, found.reference);
    return found.type;
  }

  #select(expr: Select): Type {
    const name = qualifiedName(expr);
    const found = name === undefined ? undefined : this.#scope.identifier(name);
    if (found) {
      this.#references.set(expr.id, found.reference);
      return found.type;
    }
    const type = this.#field(expr.id, expr.operand, expr.field, false);
    return expr.testOnly ? boolType : this.#bindings.apply(type, false);
  }

  #optSelect(expr: Call): Type {
    const [operand, field] = expr.args;
    if (!operand || field?.kind !== 'literal' || typeof field.value !== 'string') {
      this.#report(
        expr.id,
        `unsupported optional field selection: incorrect signature. argument count: ${expr.args.length}`,
      );
      return errorType;
    }
    const type = this.#bindings.apply(this.#field(expr.id, operand, field.value, true), false);
    this.#types[field.id] = stringType;
    this.#references.set(expr.id, { kind: 'function', name: expr.name, overloads: [], namespaced: false });
    return type;
  }

  #field(id: number, operand: Expr, field: string, optional: boolean): Type {
    const operandType = this.#bindings.apply(this.#check(operand), false);
    const target = unwrapOptional(operandType) ?? operandType;
    const type = this.#fieldOf(id, target, field);
    return optional || target !== operandType ? optionalType(type) : type;
  }

  #fieldOf(id: number, target: Type, field: string): Type {
    switch (target.kind) {
      case 'map':
        return target.params[1] ?? dynType;
      case 'struct':
        return this.#objectField(id, target.name, field) ?? errorType;
      case 'param':
        isAssignable(this.#bindings, dynType, target);
        return dynType;
      default:
        if (!isDyn(target) && target.kind !== 'error') {
          this.#report(id, `type '${formatType(target)}' does not support field selection`);
        }
        return dynType;
    }
  }

  #objectField(id: number, typeName: string, field: string): Type | undefined {
    const type = this.#environment.types?.findField(typeName, field);
    if (type) return type;
    const known = this.#environment.types?.findType(typeName) !== undefined;
    this.#report(id, known ? `undefined field '${field}'` : `unexpected failed resolution of '${typeName}'`);
    return undefined;
  }

  #call(expr: Call): Type {
    const args = expr.args.map((arg) => this.#check(arg));
    if (!expr.target) {
      const found = this.#scope.functionNamed(expr.name);
      if (!found) return this.#undeclared(expr.id, expr.name);
      return this.#resolve(expr, { ...found, member: false, namespaced: false, args });
    }
    const prefix = qualifiedName(expr.target);
    const namespaced = prefix === undefined ? undefined : this.#scope.functionNamed(`${prefix}.${expr.name}`);
    if (namespaced) return this.#resolve(expr, { ...namespaced, member: false, namespaced: true, args });
    const target = this.#check(expr.target);
    const found = this.#scope.functionNamed(expr.name);
    if (!found) return this.#undeclared(expr.id, expr.name);
    return this.#resolve(expr, { ...found, member: true, namespaced: false, args: [target, ...args] });
  }

  #resolve(expr: Call, candidate: Candidate): Type {
    const resolution = resolveOverloads(candidate, this.#bindings, () => this.#freshType());
    if ('message' in resolution) {
      const { argument } = resolution;
      this.#report(argument === undefined ? expr.id : (expr.args[argument]?.id ?? expr.id), resolution.message);
      return errorType;
    }
    const { name, namespaced } = candidate;
    this.#references.set(expr.id, { kind: 'function', name, overloads: resolution.overloads, namespaced });
    return resolution.type;
  }

  #list(expr: List): Type {
    let joined: Type | undefined;
    for (const [i, element] of expr.elements.entries()) {
      const type = this.#check(element);
      joined = this.#join(joined, expr.optional.includes(i) ? this.#entryType(element.id, type) : type);
    }
    return listType(joined ?? this.#freshType());
  }

  #map(expr: MapLiteral): Type {
    let keys: Type | undefined;
    let values: Type | undefined;
    for (const { key, value, optional } of expr.entries) {
      keys = this.#join(keys, this.#check(key));
      const type = this.#check(value);
      values = this.#join(values, optional ? this.#entryType(value.id, type) : type);
    }
    return mapType(keys ?? this.#freshType(), values ?? this.#freshType());
  }

  /** Returns the type within an optional entry. */
  #entryType(id: number, type: Type): Type {
    const inner = unwrapOptional(type);
    if (!inner && !isDyn(type)) this.#mismatch(id, optionalType(type), type);
    return inner ?? type;
  }

  #struct(expr: Struct): Type {
    const found = this.#scope.identifier(expr.typeName);
    const type = found ? this.#messageType(expr.id, found.type) : this.#undeclared(expr.id, expr.typeName);
    if (!found) return type;
    this.#references.set(expr.id, found.reference);
    for (const field of expr.fields) {
      const valueType = this.#check(field.value);
      const inner = field.optional ? this.#entryType(field.value.id, valueType) : valueType;
      const expected =
        type.kind === 'error' ? errorType : (this.#objectField(field.id, type.name, field.name) ?? errorType);
      if (isAssignable(this.#bindings, expected, inner)) continue;
      const message = `expected type of field '${field.name}' is '${formatType(expected)}' but provided type is '${formatType(inner)}'`;
      this.#report(field.id, message);
    }
    return type;
  }

  #messageType(id: number, type: Type): Type {
    const denoted = type.kind === 'type' ? type.params[0] : undefined;
    if (denoted?.kind === 'struct') return denoted;
    this.#report(id, denoted ? `'${denoted.name}' is not a message type` : `'${type.name}' is not a type`);
    return errorType;
  }

  #comprehension(expr: Comprehension): Type {
    const range = this.#bindings.apply(this.#check(expr.iterRange), false);
    const accumulator = this.#check(expr.accuInit);
    const outer = this.#scope;
    const withAccumulator = outer.with([expr.accuVar, accumulator]);
    this.#scope = withAccumulator.with(...this.#iterationTypes(expr, range));
    this.#assertType(expr.loopCondition, boolType);
    this.#assertType(expr.loopStep, accumulator);
    this.#scope = withAccumulator;
    const result = this.#check(expr.result);
    this.#scope = outer;
    return this.#bindings.apply(result, false);
  }

  #assertType(expr: Expr, expected: Type): void {
    const found = this.#check(expr);
    if (!isAssignable(this.#bindings, expected, found)) this.#mismatch(expr.id, expected, found);
  }

  /** Returns the types of the iteration variables: elements or keys, or indices or keys with values. */
  #iterationTypes(expr: Comprehension, range: Type): (readonly [string, Type])[] {
    const [first, second] = this.#rangeTypes(expr, range);
    return expr.iterVar2 === undefined
      ? [[expr.iterVar, first]]
      : [
          [expr.iterVar, range.kind === 'list' ? intType : first],
          [expr.iterVar2, second],
        ];
  }

  #rangeTypes(expr: Comprehension, range: Type): readonly [Type, Type] {
    const [first = dynType, second = first] = range.params;
    if (range.kind === 'list' || range.kind === 'map') return [first, second];
    if (isDyn(range) || range.kind === 'error' || range.kind === 'param') {
      isAssignable(this.#bindings, dynType, range);
      return [dynType, dynType];
    }
    const message = `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
    this.#report(expr.iterRange.id, message);
    return [errorType, errorType];
  }

  /** Returns the common type of a literal's elements. */
  #join(previous: Type | undefined, current: Type): Type {
    if (!previous) return current;
    if (isAssignable(this.#bindings, previous, current)) return mostGeneral(previous, current);
    return dynType;
  }

  #freshType(): Type {
    return paramType(`_var${this.#fresh++}`);
  }
}

function unwrapOptional(type: Type): Type | undefined {
  return isOptional(type) ? type.params[0] : undefined;
}
