import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parsePolicyFile } from '#lib/authorization/abac/policy-file.ts';
import type { AuthorizerOptions } from '#lib/authorization/chain.ts';
import { authorizersOf, PLAIN, type AuthorizerDocument } from '#lib/authorization/configuration.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import { arrayAt, isObject, objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import type { ClientConfig } from '#lib/webhook/client-config.ts';
import { StartFault } from './start-fault.ts';

/** Upstream's flags of authorization. */
export interface AuthorizationFlags {
  readonly authorizationMode?: string;
  readonly authorizationConfig?: string;
  readonly authorizationPolicyFile?: string;
  readonly authorizationWebhookConfigFile?: string;
  readonly authorizationWebhookCacheAuthorizedTtl?: string;
  readonly authorizationWebhookCacheUnauthorizedTtl?: string;
}

/** Who is asked what users may do; undefined where nothing is said. Throws StartFault. */
export async function authorizersOfFlags(flags: AuthorizationFlags): Promise<readonly AuthorizerOptions[] | undefined> {
  const { authorizationConfig, ...others } = flags;
  if (authorizationConfig !== undefined && Object.values(others).some((flag) => flag !== undefined))
    throw new StartFault('--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined');
  const documents =
    authorizationConfig === undefined ? documentsOfFlags(flags) : await read(authorizationConfig, (text) => authorizersOf(parsed(text)));
  return documents && Promise.all(documents.map((document) => optionsOf(document, flags)));
}

function documentsOfFlags(flags: AuthorizationFlags): AuthorizerDocument[] | undefined {
  if (flags.authorizationMode === undefined) return undefined;
  return flags.authorizationMode.split(',').map((mode): AuthorizerDocument => {
    const plain = PLAIN.find((type) => type === mode);
    if (plain !== undefined) return { type: plain };
    if (mode !== 'Webhook') throw new StartFault(`authorization-mode ${JSON.stringify(mode)} is not a valid mode; there are ${[...PLAIN, 'Webhook'].join(', ')}`);
    const kubeConfigFile = flags.authorizationWebhookConfigFile;
    if (kubeConfigFile === undefined)
      throw new StartFault("authorization-mode Webhook's authorization config file not passed: --authorization-webhook-config-file");
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
    return { type: 'Webhook', webhook: { ...webhook, config: await clientConfigOf(kubeConfigFile) } };
  }
  if (document.type !== 'ABAC') return { type: document.type };
  const path = flags.authorizationPolicyFile;
  if (path === undefined) throw new StartFault("authorization-mode ABAC's authorization policy file not passed: --authorization-policy-file");
  return { type: 'ABAC', policies: await read(path, parsePolicyFile) };
}

async function read<T>(path: string, parse: (text: string) => T): Promise<T> {
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new StartFault(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function parsed(text: string): JsonObject {
  const { value } = decodeYaml(Buffer.from(text));
  if (!isObject(value)) throw new TypeError('an object belongs there');
  return value;
}

/** Where a kubeconfig's current context leads. Credentials of a client are refused: they would not be sent. */
async function clientConfigOf(path: string): Promise<ClientConfig> {
  const file = await read(path, parsed);
  const entry = (list: string, name: string): JsonObject | undefined =>
    arrayAt(file, list).filter(isObject).find((one) => stringAt(one, 'name') === name);
  const context = objectAt(entry('contexts', stringAt(file, 'current-context') ?? ''), 'context');
  const cluster = objectAt(entry('clusters', stringAt(context, 'cluster') ?? ''), 'cluster');
  const user = objectAt(entry('users', stringAt(context, 'user') ?? ''), 'user') ?? {};
  const url = stringAt(cluster, 'server');
  if (url === undefined) throw new StartFault(`${path}: the current context names no cluster with a server`);
  if (Object.keys(user).length > 0) throw new StartFault(`${path}: credentials of a client (${Object.keys(user).join(', ')}) are not supported`);
  return { url, caBundle: await authorityOf(path, cluster) };
}

async function authorityOf(path: string, cluster: JsonObject | undefined): Promise<string> {
  if (ownField(cluster ?? {}, 'insecure-skip-tls-verify') === true)
    throw new StartFault(`${path}: insecure-skip-tls-verify is not supported`);
  const file = stringAt(cluster, 'certificate-authority');
  if (file !== undefined) return read(resolve(dirname(path), file), (text) => text);
  return Buffer.from(stringAt(cluster, 'certificate-authority-data') ?? '', 'base64').toString();
}
