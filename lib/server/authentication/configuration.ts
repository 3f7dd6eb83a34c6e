import * as z from 'zod';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { decodeYaml, YamlError } from '#lib/machinery/yaml.ts';

const prefixed = z.strictObject({
  claim: z.string().default(''),
  prefix: z.string().optional(),
  expression: z.string().default(''),
});
const unprefixed = z.strictObject({ claim: z.string().default(''), expression: z.string().default('') });

const jwt = z.strictObject({
  issuer: z.strictObject({
    url: z.string().default(''),
    discoveryURL: z.string().default(''),
    certificateAuthority: z.string().default(''),
    audiences: z.array(z.string()).default([]),
    audienceMatchPolicy: z.string().default(''),
    egressSelectorType: z.string().default(''),
  }),
  claimValidationRules: z
    .array(
      z.strictObject({
        claim: z.string().default(''),
        requiredValue: z.string().default(''),
        expression: z.string().default(''),
        message: z.string().default(''),
      }),
    )
    .default([]),
  claimMappings: z.strictObject({
    username: prefixed.prefault({}),
    groups: prefixed.prefault({}),
    uid: unprefixed.prefault({}),
    extra: z
      .array(z.strictObject({ key: z.string().default(''), valueExpression: z.string().default('') }))
      .default([]),
  }),
  userValidationRules: z
    .array(z.strictObject({ expression: z.string().default(''), message: z.string().default('') }))
    .default([]),
});

const configuration = z.strictObject({
  apiVersion: z.enum([
    'apiserver.config.k8s.io/v1',
    'apiserver.config.k8s.io/v1beta1',
    'apiserver.config.k8s.io/v1alpha1',
  ]),
  kind: z.literal('AuthenticationConfiguration'),
  jwt: z.array(jwt).default([]),
  anonymous: z
    .strictObject({ enabled: z.boolean(), conditions: z.array(z.strictObject({ path: z.string() })).default([]) })
    .optional(),
});

/** ID token issuers and the paths for anonymous requests: upstream's AuthenticationConfiguration. */
export type AuthenticationConfiguration = z.infer<typeof configuration>;
export type JwtAuthenticator = z.infer<typeof jwt>;

/** Parses YAML or JSON. Throws TypeError with every invalid or unknown field. */
export function parseConfiguration(text: string): AuthenticationConfiguration {
  const { value, duplicates } = decoded(text);
  if (duplicates[0] !== undefined) throw new TypeError(duplicates[0]);
  const result = configuration.safeParse(value);
  if (!result.success) throw new TypeError(z.prettifyError(result.error));
  return result.data;
}

function decoded(text: string) {
  try {
    return decodeYaml(Buffer.from(text));
  } catch (error) {
    if (error instanceof YamlError || error instanceof JsonSyntaxError)
      throw new TypeError(error.message, { cause: error });
    throw error;
  }
}
