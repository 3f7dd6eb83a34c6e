import { dynType, sameType, Type } from '../types/type.ts';

/** The current bindings of type parameters. They can be undone back to a mark. */
export class Substitution {
  readonly #types = new Map<string, Type>();
  readonly #trail: [string, Type | undefined][] = [];

  find(type: Type): Type | undefined {
    return type.kind === 'param' ? this.#types.get(type.name) : undefined;
  }

  set(param: Type, type: Type): void {
    this.#trail.push([param.name, this.#types.get(param.name)]);
    this.#types.set(param.name, type);
  }

  /** Runs an attempt. Undoes its bindings if it fails. */
  attempt(run: () => boolean): boolean {
    const mark = this.#trail.length;
    if (run()) return true;
    while (this.#trail.length > mark) {
      const [name, before] = this.#trail.pop() ?? ['', undefined];
      if (before) this.#types.set(name, before);
      else this.#types.delete(name);
    }
    return false;
  }

  /** Returns the type with parameters replaced. If requested, unbound ones become dyn. */
  apply(type: Type, unboundToDyn: boolean): Type {
    if (type.closed) return type;
    const bound = this.find(type);
    if (bound) return this.apply(bound, unboundToDyn);
    if (type.kind === 'param') return unboundToDyn ? dynType : type;
    const params = type.params.map((param) => this.apply(param, unboundToDyn));
    return new Type(type.kind, type.name, params, type.nullable);
  }

  /** Whether the parameter does not occur in the type, so that binding it creates no infinite type. */
  absentFrom(param: Type, type: Type): boolean {
    if (type.closed) return true;
    if (sameType(param, type)) return false;
    if (type.kind === 'param') {
      const bound = this.find(type);
      return !bound || this.absentFrom(param, bound);
    }
    return type.params.every((part) => this.absentFrom(param, part));
  }
}
