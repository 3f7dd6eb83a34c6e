import * as z from 'zod';
import { issuesText } from '#lib/machinery/issues.ts';
import { parseSelector } from '#lib/machinery/labels/selector.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';

/** Objects worked on at once, where a declaration does not say. */
const MAX_CONCURRENT = 10;
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** A part of a MODIFIED object that must have changed; of several, one is enough. */
export type Aspect = 'generation' | 'deletion' | 'finalizers' | 'labels' | 'annotations' | 'ownerReferences' | 'any';

const aspect = z.enum(['generation', 'deletion', 'finalizers', 'labels', 'annotations', 'ownerReferences', 'any']);

const predicates = z.strictObject({
  /** Default of `for`: generation, deletion, finalizers; of the others: any. */
  changed: z.array(aspect).min(1).readonly().optional(),
  /** Only objects with these labels, now or before the change. */
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

/** From a changed object to the names of what is reconciled; in the object's namespace unless said. */
const mapping = z.union([
  /** Every owner of the kind that is reconciled, whether or not it is the controller. */
  z.strictObject({ owner: z.literal(true) }),
  z.strictObject({ label: z.string().min(1), namespaceLabel: z.string().min(1).optional() }),
  z.strictObject({ annotation: z.string().min(1), namespaceAnnotation: z.string().min(1).optional() }),
  z.strictObject({ field: path, namespaceField: path.optional() }),
]);

/** A rule of a role, as RBAC has it. */
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
  /** Names it among all of a control plane: in queues, events and logs. */
  name: z.string().max(63).regex(DNS_LABEL, 'must be a DNS label'),
  /** The kind that is reconciled. */
  for: z.strictObject({ ...kind, clusterScoped: z.boolean().default(false) }),
  /** Kinds whose objects concern the one that is their controller. */
  owns: z
    .array(z.strictObject({ ...kind, predicates: predicates.optional() }))
    .readonly()
    .default([]),
  /** Kinds whose objects concern what the mapping names. */
  watches: z
    .array(z.strictObject({ ...kind, map: mapping, predicates: predicates.optional() }))
    .readonly()
    .default([]),
  /** Of `for`. */
  predicates: predicates.default({}),
  /** Objects that one process works on at once; one object never twice. */
  maxConcurrent: z.int().min(1).max(1000).default(MAX_CONCURRENT),
  /** Milliseconds after which every object is reconciled again, whatever changed. Default never. */
  resyncPeriod: z.int().min(60_000).optional(),
  /** Rights besides those that the rest of the declaration needs. */
  permissions: z.array(policyRule).readonly().default([]),
});

/** The changes that wake a reconciler, as plain JSON, which local wiring, the stream function and the deployment share. */
export type Declaration = Readonly<z.infer<typeof declaration>>;
/** A declaration as its author writes it: fields with a default may be absent. */
export type DeclarationInput = Readonly<z.input<typeof declaration>>;
/** Conditions on the changes that wake a reconciler. */
export type Predicates = z.infer<typeof predicates>;
/** The way from a changed object to the names that are reconciled. */
export type Mapping = z.infer<typeof mapping>;
/** A rule of a role. */
export type Permission = z.infer<typeof policyRule>;

/** Reads a declaration with its defaults. Throws TypeError: one line that names all that is wrong. */
export function parseDeclaration(value: unknown): Declaration {
  const read = declaration.safeParse(value);
  if (read.success) return read.data;
  throw new TypeError(`reconciler declaration: ${issuesText(read.error.issues)}`);
}

/** Reads a list of declarations, such as `reconcilers.json`. Throws TypeError, also where two have one name. */
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
