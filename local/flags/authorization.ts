import { messageOfError } from '#lib/machinery/error-message.ts';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { parsePolicyFile } from '#lib/authorization/abac/policy-file.ts';
import type { AuthorizerOptions } from '#lib/authorization/chain.ts';
import {
  authorizersOf as authorizersOfDocument,
  PLAIN,
  type AuthorizerDocument,
} from '#lib/authorization/configuration.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import { StartFault } from '../start-fault.ts';
import { webhookOf } from '../webhook-kubeconfig.ts';

/** Upstream's flags of authorization. */
export interface AuthorizationFlags {
  readonly authorizationMode?: string;
  readonly authorizationConfig?: string;
  readonly authorizationPolicyFile?: string;
  readonly authorizationWebhookConfigFile?: string;
  readonly authorizationWebhookCacheAuthorizedTtl?: string;
  readonly authorizationWebhookCacheUnauthorizedTtl?: string;
}

/** Adds the flags to the command. */
export function authorizationFlags(command: Command): Command {
  return command
    .option('--authorization-mode <modes>', 'authorizers, in the order in which they are asked (default "Node,RBAC")')
    .option('--authorization-config <path>', 'an AuthorizationConfiguration, which replaces the mode')
    .option('--authorization-policy-file <path>', 'policies of the mode ABAC, one in each line')
    .option('--authorization-webhook-config-file <path>', 'a kubeconfig of the webhook that the mode Webhook asks')
    .option(
      '--authorization-webhook-cache-authorized-ttl <duration>',
      'how long to cache approvals of a webhook (default "5m")',
    )
    .option(
      '--authorization-webhook-cache-unauthorized-ttl <duration>',
      'how long to cache denials of a webhook (default "30s")',
    );
}

/** Reads the authorizers from the flags; undefined without such flags. Throws StartFault. */
export async function authorizersOf(flags: AuthorizationFlags): Promise<readonly AuthorizerOptions[] | undefined> {
  const { authorizationConfig, authorizationMode, authorizationWebhookConfigFile } = flags;
  if (authorizationConfig !== undefined && (authorizationMode ?? authorizationWebhookConfigFile) !== undefined)
    throw new StartFault(
      '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
    );
  const documents =
    authorizationConfig === undefined
      ? documentsOfFlags(flags)
      : await read(authorizationConfig, (text) => authorizersOfDocument(parsed(text)));
  return documents && Promise.all(documents.map((document) => optionsOf(document, flags)));
}

function documentsOfFlags(flags: AuthorizationFlags): AuthorizerDocument[] | undefined {
  if (flags.authorizationMode === undefined) return undefined;
  return flags.authorizationMode.split(',').map((mode): AuthorizerDocument => {
    const plain = PLAIN.find((type) => type === mode);
    if (plain !== undefined) return { type: plain };
    if (mode !== 'Webhook')
      throw new StartFault(
        `authorization-mode ${JSON.stringify(mode)} is not a valid mode; there are ${[...PLAIN, 'Webhook'].join(', ')}`,
      );
    const kubeConfigFile = flags.authorizationWebhookConfigFile;
    if (kubeConfigFile === undefined)
      throw new StartFault(
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
    throw new StartFault(`${JSON.stringify(text)} is no duration`, { cause: error });
  }
}

async function optionsOf(document: AuthorizerDocument, flags: AuthorizationFlags): Promise<AuthorizerOptions> {
  if (document.type === 'Webhook') {
    const { kubeConfigFile, ...webhook } = document.webhook;
    const config = await read(kubeConfigFile, (text) => webhookOf(text, dirname(kubeConfigFile)));
    return { type: 'Webhook', name: document.name, webhook: { ...webhook, config } };
  }
  if (document.type !== 'ABAC') return { type: document.type };
  const path = flags.authorizationPolicyFile;
  if (path === undefined)
    throw new StartFault("authorization-mode ABAC's authorization policy file not passed: --authorization-policy-file");
  return { type: 'ABAC', policies: await read(path, parsePolicyFile) };
}

async function read<T>(path: string, parse: (text: string) => T): Promise<T> {
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new StartFault(`${path}: ${messageOfError(error)}`, { cause: error });
  }
}

function parsed(text: string): JsonObject {
  const { value } = decodeYaml(Buffer.from(text));
  if (!isObject(value)) throw new TypeError('an object belongs there');
  return value;
}
