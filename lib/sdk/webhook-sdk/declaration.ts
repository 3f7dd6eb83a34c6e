import * as z from 'zod';
import { issuesText } from '#lib/machinery/issues.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';

const name = z
  .string()
  .max(63)
  .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, 'must be a DNS label that begins with a letter');

const object = z.custom<JsonObject>((value) => isObject(value as Json), 'must be an object');

const rule = z.strictObject({
  operations: z.array(z.enum(['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*'])).min(1),
  apiGroups: z.array(z.string()).min(1),
  apiVersions: z.array(z.string().min(1)).min(1),
  resources: z.array(z.string().min(1)).min(1),
  scope: z.enum(['Cluster', 'Namespaced', '*']).optional(),
});

/** The fields of one webhook in upstream's webhook configurations, without its client. */
const admission = {
  name,
  rules: z.array(rule).min(1),
  /** Default Fail. */
  failurePolicy: z.enum(['Fail', 'Ignore']).optional(),
  matchPolicy: z.enum(['Exact', 'Equivalent']).optional(),
  namespaceSelector: object.optional(),
  objectSelector: object.optional(),
  matchConditions: z.array(z.strictObject({ name: z.string().min(1), expression: z.string().min(1) })).optional(),
  /** Default None. Use NoneOnDryRun for a webhook that has side effects, but not in dry runs. */
  sideEffects: z.enum(['None', 'NoneOnDryRun']).optional(),
  timeoutSeconds: z.int().min(1).max(30).optional(),
};

const declaration = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('Mutating'),
    ...admission,
    reinvocationPolicy: z.enum(['Never', 'IfNeeded']).optional(),
  }),
  z.strictObject({ type: z.literal('Validating'), ...admission }),
  /** `definition`: the CustomResourceDefinition whose versions it converts, such as `sites.example.com`. */
  z.strictObject({ type: z.literal('Conversion'), name, definition: z.string().min(3) }),
  z.strictObject({ type: z.literal('TokenReview'), name }),
  z.strictObject({ type: z.literal('SubjectAccessReview'), name }),
  z.strictObject({ type: z.literal('ImagePolicy'), name }),
]);

/** The requests for which a webhook is called, as plain JSON. The webhook's configuration objects are generated from it. */
export type WebhookDeclaration = z.infer<typeof declaration>;
type Input = z.input<typeof declaration>;
/** The declaration of one type, as an author writes it. */
export type DeclarationOf<T extends Input['type']> = Omit<Extract<Input, { type: T }>, 'type'>;

/** Parses a declaration. Throws TypeError with one line that names all errors. */
export function parseWebhookDeclaration(value: unknown): WebhookDeclaration {
  const read = declaration.safeParse(value);
  if (read.success) return read.data;
  throw new TypeError(`webhook declaration: ${issuesText(read.error.issues)}`);
}
