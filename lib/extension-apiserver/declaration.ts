import * as z from 'zod';
import type { GroupVersion } from '#lib/machinery/schema.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { issuesText } from '#lib/machinery/issues.ts';

const name = z
  .string()
  .max(63)
  .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, 'must be a DNS label that begins with a letter');
const group = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/, 'must be a DNS subdomain with a dot');

const resource = z.strictObject({
  /** The plural, in lower case. */
  name,
  singularName: name,
  kind: z.string().regex(/^[A-Z][A-Za-z0-9]*$/, 'must be a word in camel case'),
  namespaced: z.boolean(),
  shortNames: z.array(name),
  categories: z.array(name),
  verbs: z.array(z.string()),
  /** OpenAPI v3. */
  schema: z.custom<JsonObject>((value) => isObject(value as Json), 'must be an object'),
  subresources: z.array(z.strictObject({ name, verbs: z.array(z.string()) })),
});

const declaration = z.strictObject({
  name,
  group,
  version: z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'must be a DNS label'),
  /** As those of an APIService. */
  groupPriorityMinimum: z.int().min(1).max(20_000),
  versionPriority: z.int().min(1).max(1000),
  resources: z.array(resource).min(1),
});

/** An aggregated API without its code, as plain JSON. */
export type AggregatedApiDeclaration = z.infer<typeof declaration> & GroupVersion;
/** One resource of it. */
export type ResourceDeclaration = AggregatedApiDeclaration['resources'][number];

/** Reads a declaration. Throws TypeError: one line that names all that is wrong. */
export function parseAggregatedApiDeclaration(value: unknown): AggregatedApiDeclaration {
  const read = declaration.safeParse(value);
  if (read.success) return read.data;
  throw new TypeError(`aggregated API declaration: ${issuesText(read.error.issues)}`);
}
