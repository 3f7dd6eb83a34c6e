import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { finalizersOf } from '#lib/machinery/meta.ts';
import { isQualifiedName } from '#lib/machinery/validation/names.ts';

const STANDARD = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Returns warnings about the names of finalizers that a write adds. */
export function finalizerWarnings(object: JsonObject, old?: JsonObject): string[] {
  const before = new Set(old === undefined ? [] : finalizersOf(old));
  const added = [...new Set(finalizersOf(object))].filter((name) => !before.has(name)).sort();
  return added.flatMap((name) => problems(name).map((text) => `metadata.finalizers: ${quote(name)}: ${text}`));
}

function problems(name: string): string[] {
  const messages = isQualifiedName(name);
  if (name.includes('/') || STANDARD.has(name)) return messages;
  const path = name.includes('.') ? ' including a path (/)' : '';
  const text = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
  return [...messages, text];
}
