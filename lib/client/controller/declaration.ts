import * as z from 'zod';
import { issuesText } from '#lib/machinery/issues.ts';
import { parseSelector } from '#lib/machinery/labels/selector.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';

/** The default number of objects processed in parallel. */
const MAX_CONCURRENT = 10;
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** A part of a MODIFIED object that must have changed. With several aspects, one change is enough. */
export type Aspect = 'generation' | 'deletion' | 'finalizers' | 'labels' | 'annotations' | 'ownerReferences' | 'any';

const aspect = z.enum(['generation', 'deletion', 'finalizers', 'labels', 'annotations', 'ownerReferences', 'any']);

const predicates = z.strictObject({
  /** Defaults to generation, deletion and finalizers for `for`, and to `any` for other kinds. */
  changed: z.array(aspect).min(1).readonly().optional(),
  /** Only objects that have these labels, or had them before the change. */
  labelSelector: z.string().refine(isSelector, 'must be a label selector').optional(),
  /** Only objects in these namespaces. */
  namespaces: z.array(z.string().min(1)).min(1).readonly().optional(),
});

const kind = {
  apiVersion: z.string().refine((text) => text !== '' && parseApiVersion(text) !== undefined, 'must be group/version'),
  kind: z.string().min(1),
};

const path = z
  .string()
  .regex(/^[^.[\]]+(\[\])?(\.[^.[\]]+(\[\])?)*$/, 'must be fields joined by dots, [] behind each that is a list');

/** Maps a changed object to the names of the objects to reconcile. Their namespace defaults to that of the changed object. */
const mapping = z.union([
  /** Every owner of the reconciled kind, whether or not it is the controlling owner. */
  z.strictObject({ owner: z.literal(true) }),
  z.strictObject({ label: z.string().min(1), namespaceLabel: z.string().min(1).optional() }),
  z.strictObject({ annotation: z.string().min(1), namespaceAnnotation: z.string().min(1).optional() }),
  z.strictObject({ field: path, namespaceField: path.optional() }),
]);

/** A rule of a role, as in RBAC. */
export const policyRule = z
  .strictObject({
    verbs: z.array(z.string().min(1)).min(1).readonly(),
    apiGroups: z.array(z.string()).min(1).readonly().optional(),
    resources: z.array(z.string().min(1)).min(1).readonly().optional(),
    resourceNames: z.array(z.string().min(1)).min(1).readonly().optional(),
    nonResourceURLs: z.array(z.string().min(1)).min(1).readonly().optional(),
  })
  .refine(isOfOneSort, 'must have apiGroups and resources, or nonResourceURLs');

const declaration = z.strictObject({
  /** The name of the reconciler in queues, events and logs. It is unique in a control plane. */
  name: z.string().max(63).regex(DNS_LABEL, 'must be a DNS label'),
  /** The kind to reconcile. */
  for: z.strictObject({ ...kind, clusterScoped: z.boolean().default(false) }),
  /** Kinds whose objects trigger a reconciliation of their controller. */
  owns: z
    .array(z.strictObject({ ...kind, predicates: predicates.optional() }))
    .readonly()
    .default([]),
  /** Kinds whose objects trigger a reconciliation of the objects in the mapping. */
  watches: z
    .array(z.strictObject({ ...kind, map: mapping, predicates: predicates.optional() }))
    .readonly()
    .default([]),
  /** The predicates for `for`. */
  predicates: predicates.default({}),
  /** The maximum number of objects that one process handles in parallel. It never handles the same object twice at once. */
  maxConcurrent: z.int().min(1).max(1000).default(MAX_CONCURRENT),
  /** The interval in ms at which every object is reconciled again. Default never. */
  resyncPeriod: z.int().min(60_000).optional(),
  /** Permissions in addition to those that the declaration implies. */
  permissions: z.array(policyRule).readonly().default([]),
});

/** The changes that trigger a reconciler, as plain JSON. Local wiring, the stream function and the deployment all use it. */
export type Declaration = Readonly<z.infer<typeof declaration>>;
/** A declaration as its author writes it: fields with a default are optional. */
export type DeclarationInput = Readonly<z.input<typeof declaration>>;
/** Conditions on the changes that trigger a reconciler. */
export type Predicates = z.infer<typeof predicates>;
/** The mapping from a changed object to the names of objects to reconcile. */
export type Mapping = z.infer<typeof mapping>;
/** A rule of a role. */
export type Permission = z.infer<typeof policyRule>;

/** Parses a declaration and applies its defaults. Throws TypeError with a one-line message that names all errors. */
export function parseDeclaration(value: unknown): Declaration {
  const read = declaration.safeParse(value);
  if (read.success) return read.data;
  throw new TypeError(`reconciler declaration: ${issuesText(read.error.issues)}`);
}

/** Parses a list of declarations, such as `reconcilers.json`. Throws TypeError, also for duplicate names. */
export function parseDeclarations(value: unknown): readonly Declaration[] {
  if (!Array.isArray(value)) throw new TypeError('reconciler declarations: must be a list');
  const all = value.map(parseDeclaration);
  const twice = all.find(({ name }, i) => all.findIndex((other) => other.name === name) < i);
  if (twice !== undefined) throw new TypeError(`reconciler declarations: ${twice.name} is there twice`);
  return all;
}

function isOfOneSort({ apiGroups, resources, resourceNames, nonResourceURLs }: Record<string, unknown>): boolean {
  if (nonResourceURLs === undefined) return apiGroups !== undefined && resources !== undefined;
  return apiGroups === undefined && resources === undefined && resourceNames === undefined;
}

function isSelector(text: string): boolean {
  try {
    parseSelector(text);
    return true;
  } catch {
    return false;
  }
}
