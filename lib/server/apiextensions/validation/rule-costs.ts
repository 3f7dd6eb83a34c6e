import { type FieldError, type FieldPath, forbidden } from '#lib/machinery/validation/field.ts';
import { ESTIMATED_TOTAL_LIMIT } from '../cel/limits.ts';

const MAX_NAMED = 4;

/** Sums the estimated costs of a version's rules. Names the most expensive ones if the sum exceeds the limit. */
export class RuleCosts {
  #total = 0;
  readonly #dearest: { readonly path: FieldPath; readonly cost: number }[] = [];

  add(path: FieldPath, cost: number): void {
    this.#total += cost;
    if (cost < ESTIMATED_TOTAL_LIMIT / 100) return;
    this.#dearest.push({ path, cost });
    this.#dearest.sort((a, b) => b.cost - a.cost);
    this.#dearest.length = Math.min(this.#dearest.length, MAX_NAMED);
  }

  errors(schemaPath: FieldPath): FieldError[] {
    if (this.#total <= ESTIMATED_TOTAL_LIMIT) return [];
    const text = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#dearest.map(({ path }) => forbidden(path, text)),
      forbidden(schemaPath, costText(name, this.#total, ESTIMATED_TOTAL_LIMIT)),
    ];
  }
}

/** Returns by how much a cost exceeds its limit, and how to reduce it. */
export function costText(name: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${name} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
