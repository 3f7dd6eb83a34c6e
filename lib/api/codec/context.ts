import { quote } from '#lib/machinery/go.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { StrictFindings } from '#lib/machinery/strict-findings.ts';
import type { FieldFacts, TypeFacts } from '../types.ts';
import { DecodeError } from './error.ts';

/** The position of the decoder and the errors found so far, like the decode state of sigs.k8s.io/json. */
export class DecodeContext {
  /** The types that own the entered fields. Undefined for a map's key or a list's index. */
  readonly #owners: (TypeFacts | undefined)[] = [];
  readonly #steps: (FieldFacts | string | number)[] = [];
  readonly #unknown = new StrictFindings();
  #saved: DecodeError | undefined;
  /**
   * The depth within types with their own UnmarshalJSON upstream. Inside them, fields are not checked strictly, and the first error ends
   * the decode.
   */
  #nested = 0;
  /** The literal of the next number to decode, if an encoder would write the number differently. */
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

  /** Reports a value of the wrong JSON type. The decode ends with the first such error, unless a more severe one follows. */
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

  /** Reports an error that does not end the decode immediately. */
  save(error: DecodeError): undefined {
    if (this.#nested > 0) throw error;
    this.#saved ??= error;
    return undefined;
  }

  /** Throws the saved error if there is one. Otherwise returns the unknown fields. */
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

/** The name of a JSON value in Go's decoder. */
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
