import * as z from 'zod';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { Execution, ExecutionEnd } from '#lib/machinery/execution.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, type Json, stringAt } from '#lib/machinery/json-value.ts';
import { type CredentialProvider, goDuration } from './config.ts';
import type { CredentialProviderMetrics } from './metrics.ts';

/** The time in ms after which a plugin is killed. */
const TIMEOUT = 60_000;
/** The maximum number of fields and items in a response. */
const MAX_VALUES = 100_000;

/** A run of a program in the plugin folder. */
export interface PluginExecution extends Omit<Execution, 'path'> {
  /** The file name in the plugin folder. */
  readonly name: string;
}

/** Runs a program in the plugin folder. Never rejects. Output beyond the limits of the port makes the run fail. */
export type RunPlugin = (execution: PluginExecution) => Promise<ExecutionEnd>;

/** The inputs of a plugin. */
export interface PluginRequest {
  readonly image: string;
  /** Empty for a plugin that gets no token. */
  readonly serviceAccountToken: string;
  readonly serviceAccountAnnotations: ReadonlyMap<string, string>;
}

const authConfig = z.strictObject({ username: z.string().default(''), password: z.string().default('') });
const responseSchema = z.strictObject({
  apiVersion: z.string(),
  kind: z.literal('CredentialProviderResponse'),
  cacheKeyType: z.string().default(''),
  cacheDuration: goDuration.nullish(),
  auth: z.record(z.string(), authConfig).nullish(),
});

/** The response of a plugin. The duration is in nanoseconds. */
export type PluginResponse = z.infer<typeof responseSchema>;

/** The ports and settings for running a plugin. */
export interface ExecPluginOptions {
  readonly provider: Pick<CredentialProvider, 'name' | 'apiVersion' | 'args' | 'env'>;
  readonly run: RunPlugin;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly metrics: CredentialProviderMetrics;
}

/** Requests credentials from a plugin. Throws an Error with upstream's message, which contains no part of the response. */
export async function execPlugin(options: ExecPluginOptions, request: PluginRequest): Promise<PluginResponse> {
  const { provider, run, clock, metrics } = options;
  const { name, args, env, apiVersion } = provider;
  const start = clock.monotonic();
  const { stdout, stderr, failure } = await run({
    name,
    args,
    env,
    stdin: encoded(apiVersion, request),
    timeout: TIMEOUT,
  });
  metrics.ran(name, clock.monotonic() - start, failure !== undefined);
  if (failure !== undefined)
    throw new Error(
      `error execing credential provider plugin ${name} for image ${request.image}: ${failure}: ${stderr}`,
    );
  const response = parsed(stdout);
  const actual = (isObject(response.value) && stringAt(response.value, 'apiVersion')) || '';
  if (actual !== apiVersion)
    throw new Error(
      `apiVersion from credential plugin response did not match expected apiVersion:${apiVersion}, actual apiVersion:${actual}`,
    );
  const read = responseSchema.safeParse(response.value);
  // The cause is omitted, because it may contain a credential.
  if (!read.success || response.duplicates.length > 0)
    throw new Error('error decoding credential provider plugin response from stdout');
  return read.data;
}

function encoded(apiVersion: string, request: PluginRequest): string {
  const { image, serviceAccountToken: token, serviceAccountAnnotations: annotations } = request;
  return `${JSON.stringify({
    kind: 'CredentialProviderRequest',
    apiVersion,
    image,
    ...(token !== '' && { serviceAccountToken: token }),
    ...(annotations.size > 0 && { serviceAccountAnnotations: Object.fromEntries(annotations) }),
  })}\n`;
}

function parsed(bytes: Uint8Array): { readonly value: Json; readonly duplicates: readonly string[] } {
  try {
    return decodeJson(bytes, { maxValues: MAX_VALUES });
  } catch (cause) {
    const why = `couldn't get version/kind; json parse error: ${messageOfError(cause)}`;
    throw new Error(`error reading GVK from response: ${why}`, { cause });
  }
}
