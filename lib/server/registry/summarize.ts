import type { JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf, labelsOf, ownerReferencesOf } from '#lib/machinery/meta.ts';
import type { Summary } from '#lib/storage/sequence.ts';

/** The part of a stored object that selectors, indexes and predicates use. */
export function summarize(object: JsonObject, fields: Readonly<Record<string, string>>): Summary {
  const ownerReferences = ownerReferencesOf(object).map(({ uid, controller }) => ({ uid, controller }));
  return { labels: labelsOf(object), fields, generation: generationOf(object), ownerReferences };
}
