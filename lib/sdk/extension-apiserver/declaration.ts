import * as z from 'zod';
import { issuesText } from '#lib/machinery/issues.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersion } from '#lib/machinery/schema.ts';

const name = z
  .string()
  .max(63)
  .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, 'must be a DNS label that begins with a letter');
const group = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/, 'must be a DNS subdomain with a dot');
const protocol = z
  .string()
  .max(127)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be a token of HTTP');

/** The name of a resource: a path segment. A metric is also a resource, with the metric's name. */
const segment = z
  .string()
  .max(253)
  .regex(
    /^(?!\.{1,2}$)[^/%\p{Cc}]+$/u,
    'must be a segment of a path: not empty, "." or "..", and without "/", "%" and control characters',
  );

/** The reason why requests cannot reach a resource with this name. Undefined if they can. */
function unreachable({ name: of, namespaced }: Pick<z.infer<typeof resourceShape>, 'name' | 'namespaced'>) {
  const taken = namespaced ? NAMESPACED : CLUSTER_SCOPED;
  return Object.hasOwn(taken, of) ? taken[of] : undefined;
}
const NAMESPACED: Readonly<Record<string, string>> = {
  status: 'cannot be reached: /namespaces/NAME/status is the status of the namespace',
  finalize: 'cannot be reached: /namespaces/NAME/finalize is a subresource of the namespace',
};
const CLUSTER_SCOPED: Readonly<Record<string, string>> = {
  namespaces: 'must be namespaced to be reached: /namespaces/NAME begins the paths of a namespace',
  watch: 'must be namespaced to be reached: /watch/NAME is a watch of NAME',
};

const resourceShape = z.strictObject({
  /** The plural in lower case, or the name of a metric. */
  name: segment,
  singularName: name,
  kind: z.string().regex(/^[A-Z][A-Za-z0-9]*$/, 'must be a word in camel case'),
  namespaced: z.boolean(),
  shortNames: z.array(name),
  categories: z.array(name),
  verbs: z.array(z.string()),
  /** An OpenAPI v3 schema. */
  schema: z.custom<JsonObject>((value) => isObject(value as Json), 'must be an object'),
  subresources: z.array(
    z.strictObject({
      name: segment,
      verbs: z.array(z.string()),
      /** Set only for a subresource that connects. */
      connect: z.exactOptional(z.strictObject({ protocols: z.array(protocol) })),
    }),
  ),
});
const resource = resourceShape.superRefine((given, { addIssue }) => {
  const message = unreachable(given);
  if (message !== undefined) addIssue({ code: 'custom', path: ['name'], message });
});

const declaration = z.strictObject({
  name,
  group,
  version: z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'must be a DNS label'),
  /** The priorities, with the same meaning as in an APIService. */
  groupPriorityMinimum: z.int().min(1).max(20_000),
  versionPriority: z.int().min(1).max(1000),
  resources: z
    .array(resource)
    .min(1)
    .refine((all) => new Set(all.map((one) => one.name)).size === all.length, 'must have different names'),
});

/** An aggregated API without its code, as plain JSON. */
export type AggregatedApiDeclaration = z.infer<typeof declaration> & GroupVersion;
/** The declaration of a subresource that connects. */
export type DeclaredConnect = NonNullable<ResourceDeclaration['subresources'][number]['connect']>;
/** One resource of a declaration. */
export type ResourceDeclaration = AggregatedApiDeclaration['resources'][number];

/** Parses a declaration. Throws TypeError with one line that names all errors. */
export function parseAggregatedApiDeclaration(value: unknown): AggregatedApiDeclaration {
  const read = declaration.safeParse(value);
  if (read.success) return read.data;
  throw new TypeError(`aggregated API declaration: ${issuesText(read.error.issues)}`);
}
