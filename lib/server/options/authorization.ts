import { parseDuration } from '#lib/machinery/duration.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import { parsePolicyFile } from '#lib/server/authorization/abac/policy-file.ts';
import type { AuthorizerOptions } from '#lib/server/authorization/chain.ts';
import {
  type AuthorizerDocument,
  authorizersOf as authorizersOfDocument,
  PLAIN,
} from '#lib/server/authorization/configuration.ts';
import { type Files, OptionError, readAs } from './files.ts';
import { webhookIn } from './webhook-kubeconfig.ts';

/** Upstream's authorization flags. */
export interface AuthorizationFlags {
  readonly authorizationMode?: string;
  readonly authorizationConfig?: string;
  readonly authorizationPolicyFile?: string;
  readonly authorizationWebhookConfigFile?: string;
  readonly authorizationWebhookCacheAuthorizedTtl?: string;
  readonly authorizationWebhookCacheUnauthorizedTtl?: string;
}

/** Reads the authorizers from the flags. Undefined without such flags. Throws OptionError. */
export function authorizersOf(flags: AuthorizationFlags, files: Files): readonly AuthorizerOptions[] | undefined {
  const { authorizationConfig, authorizationMode, authorizationWebhookConfigFile } = flags;
  if (authorizationConfig !== undefined && (authorizationMode ?? authorizationWebhookConfigFile) !== undefined)
    throw new OptionError(
      '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
    );
  const documents =
    authorizationConfig === undefined
      ? documentsOfFlags(flags)
      : readAs(files, authorizationConfig, (text) => authorizersOfDocument(parsed(text)));
  return documents?.map((document) => optionsOf(document, flags, files));
}

function documentsOfFlags(flags: AuthorizationFlags): AuthorizerDocument[] | undefined {
  if (flags.authorizationMode === undefined) return undefined;
  return flags.authorizationMode.split(',').map((mode): AuthorizerDocument => {
    const plain = PLAIN.find((type) => type === mode);
    if (plain !== undefined) return { type: plain };
    if (mode !== 'Webhook')
      throw new OptionError(
        `authorization-mode ${JSON.stringify(mode)} is not a valid mode; there are ${[...PLAIN, 'Webhook'].join(', ')}`,
      );
    const kubeConfigFile = flags.authorizationWebhookConfigFile;
    if (kubeConfigFile === undefined)
      throw new OptionError(
        "authorization-mode Webhook's authorization config file not passed: --authorization-webhook-config-file",
      );
    return { type: 'Webhook', name: 'default', webhook: { ...defaults(flags), kubeConfigFile } };
  });
}

const defaults = (flags: AuthorizationFlags) => ({
  timeoutSeconds: 30,
  authorizedTtl: milliseconds(flags.authorizationWebhookCacheAuthorizedTtl ?? '5m'),
  unauthorizedTtl: milliseconds(flags.authorizationWebhookCacheUnauthorizedTtl ?? '30s'),
  failurePolicy: 'NoOpinion' as const,
  matchConditions: [],
});

function milliseconds(text: string): number {
  try {
    return Number(parseDuration(text) / 1_000_000n);
  } catch (error) {
    throw new OptionError(`${JSON.stringify(text)} is no duration`, { cause: error });
  }
}

function optionsOf(document: AuthorizerDocument, flags: AuthorizationFlags, files: Files): AuthorizerOptions {
  if (document.type === 'Webhook') {
    const { kubeConfigFile, ...webhook } = document.webhook;
    return { type: 'Webhook', name: document.name, webhook: { ...webhook, config: webhookIn(files, kubeConfigFile) } };
  }
  if (document.type !== 'ABAC') return { type: document.type };
  const path = flags.authorizationPolicyFile;
  if (path === undefined)
    throw new OptionError(
      "authorization-mode ABAC's authorization policy file not passed: --authorization-policy-file",
    );
  return { type: 'ABAC', policies: readAs(files, path, parsePolicyFile) };
}

function parsed(text: string): JsonObject {
  const { value } = decodeYaml(Buffer.from(text));
  if (!isObject(value)) throw new TypeError('an object belongs there');
  return value;
}
