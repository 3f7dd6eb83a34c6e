import { quote } from '#lib/machinery/go.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { StrictFindings } from '#lib/machinery/strict-findings.ts';
import type { FieldFacts, TypeFacts } from '../types.ts';
import { DecodeError } from './error.ts';

/** Where the decoder stands, and what it has found: sigs.k8s.io/json's decode state. */
export class DecodeContext {
  /** Owners of the fields entered; undefined for a map's key or a list's index. */
  readonly #owners: (TypeFacts | undefined)[] = [];
  readonly #steps: (FieldFacts | string | number)[] = [];
  readonly #unknown = new StrictFindings();
  #saved: DecodeError | undefined;
  /** In types that read their own JSON upstream: fields are not checked strictly, and the first error ends all. */
  #nested = 0;
  /** The literal of the number that is decoded next, if it is not the one that an encoder writes. */
  literal: string | undefined;

  enterField(owner: TypeFacts, field: FieldFacts): void {
    this.#owners.push(owner);
    this.#steps.push(field);
  }

  enterItem(step: string | number): void {
    this.#owners.push(undefined);
    this.#steps.push(step);
  }

  leave(): void {
    this.#owners.pop();
    this.#steps.pop();
  }

  nested<T>(decode: () => T): T {
    this.#nested++;
    const value = decode();
    this.#nested--;
    return value;
  }

  unknownField(name: string): void {
    this.#strict('unknown', name);
  }

  duplicateField(name: string): void {
    this.#strict('duplicate', name);
  }

  #strict(what: 'unknown' | 'duplicate', name: string): void {
    if (this.#nested > 0) return;
    this.#unknown.add(() => {
      const path = this.#strictPath();
      return `${what} field ${quote(path === '' ? name : `${path}.${name}`)}`;
    });
  }

  /** A value of the wrong JSON type. The first is what the whole decode ends with, unless a worse error follows. */
  mismatch(value: Json, go: string, text = typeName(value)): undefined {
    if (this.#nested > 0) throw this.typeError(text, go);
    this.#saved ??= this.typeError(text, go);
    return undefined;
  }

  typeError(value: string, go: string): DecodeError {
    const last = this.#owners.findLast((owner) => owner !== undefined);
    if (last === undefined) return new DecodeError(`json: cannot unmarshal ${value} into Go value of type ${go}`);
    const path = `${last.go}.${this.#fieldPath()}`;
    return new DecodeError(`json: cannot unmarshal ${value} into Go struct field ${path} of type ${go}`);
  }

  /** An error that does not end the decode at once. */
  save(error: DecodeError): undefined {
    if (this.#nested > 0) throw error;
    this.#saved ??= error;
    return undefined;
  }

  /** Throws what was saved; otherwise the unknown fields. */
  finish(): string[] {
    if (this.#saved !== undefined) throw this.#saved;
    return this.#unknown.texts();
  }

  #fieldPath(): string {
    return this.#steps
      .flatMap((step) => (typeof step === 'object' ? [...step.embedded, step.name] : []))
      .filter((name) => name !== 'TypeMeta')
      .join('.');
  }

  #strictPath(): string {
    let path = '';
    for (const step of this.#steps) {
      if (typeof step === 'number') path += `[${step}]`;
      else path += (path === '' ? '' : '.') + (typeof step === 'object' ? step.name : step);
    }
    return path;
  }
}

/** How Go's decoder calls a JSON value. */
export function typeName(value: Json): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    case 'object':
      return value === null ? 'null' : 'object';
    default:
      return 'number';
  }
}
