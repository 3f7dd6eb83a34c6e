import { candidateNames, type Reference } from '../ast/checked.ts';
import type { Environment } from '../environment.ts';
import type { Overload } from '../functions/function.ts';
import { type Type, typeOfType } from '../types/type.ts';

/** The type of a name and the declaration that it refers to. */
export interface Declaration {
  readonly type: Type;
  readonly reference: Reference;
}

/** The names visible at a point: those of the environment and of the surrounding comprehensions. */
export class Scope {
  readonly #environment: Environment;
  readonly #locals: ReadonlyMap<string, Type>;

  constructor(environment: Environment, locals: ReadonlyMap<string, Type> = new Map()) {
    this.#environment = environment;
    this.#locals = locals;
  }

  with(...locals: (readonly [string, Type])[]): Scope {
    return new Scope(this.#environment, new Map([...this.#locals, ...locals]));
  }

  identifier(name: string): Declaration | undefined {
    for (const candidate of candidateNames(this.#environment.container, name)) {
      const declaration = this.#find(candidate);
      if (declaration) return declaration;
    }
    return undefined;
  }

  functionNamed(name: string): { name: string; overloads: readonly Overload[] } | undefined {
    for (const candidate of candidateNames(this.#environment.container, name)) {
      const overloads = this.#environment.functions.get(candidate);
      if (overloads) return { name: candidate, overloads };
    }
    return undefined;
  }

  #find(name: string): Declaration | undefined {
    const local = this.#locals.get(name) ?? this.#environment.variables.get(name);
    if (local) return { type: local, reference: { kind: 'variable', name } };
    const constant = this.#environment.constants.get(name);
    if (constant) return { type: constant.type, reference: { kind: 'constant', name, value: constant.value } };
    const named = this.#environment.types?.findType(name);
    return named && { type: typeOfType(named), reference: { kind: 'constant', name, value: named } };
  }
}
