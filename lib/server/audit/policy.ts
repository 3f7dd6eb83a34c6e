import * as z from 'zod';

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '');
const texts = z
  .array(z.string())
  .nullish()
  .transform((given) => given ?? []);
const flag = z
  .boolean()
  .nullish()
  .transform((given) => given ?? undefined);

const groupResources = z.strictObject({ group: text, resources: texts, resourceNames: texts });
const rule = z.strictObject({
  level: text,
  users: texts,
  userGroups: texts,
  verbs: texts,
  resources: z
    .array(groupResources)
    .nullish()
    .transform((given) => given ?? []),
  namespaces: texts,
  nonResourceURLs: texts,
  omitStages: texts,
  omitManagedFields: flag,
});
/** The schema of a policy's file. */
export const policySchema = z.strictObject({
  apiVersion: z.literal('audit.k8s.io/v1'),
  kind: z.literal('Policy'),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  rules: z
    .array(rule)
    .nullish()
    .transform((given) => given ?? []),
  omitStages: texts,
  omitManagedFields: flag,
});

/** `audit.k8s.io/v1 Policy`, with absent lists as empty lists. */
export type Policy = z.infer<typeof policySchema>;
/** A rule of a policy. */
export type PolicyRule = z.infer<typeof rule>;
/** Resources of one API group that a rule matches. */
export type GroupResources = z.infer<typeof groupResources>;
