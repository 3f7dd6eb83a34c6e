import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { ExecutionEnd, RunProgram } from '#lib/machinery/execution.ts';
import { marshal, quote } from '#lib/machinery/go.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { decodeMap } from './decode.ts';
import { type AnyResult, createResult } from './result.ts';
import { CniError, ERRORS, type PluginConfig, type RuntimeConf } from './types.ts';
import { CURRENT } from './version.ts';

/** The time in ms that a plugin may take. */
const TIMEOUT = 120_000;
/** The number of attempts while a plugin's file is being written, and the time in ms between them. */
const ATTEMPTS = 6;
const BUSY_WAIT = 1000;

/** The ports for running plugins from a list of folders. */
export interface Invocation {
  /** The plugin folders. The first one that contains the plugin wins. */
  readonly path: readonly string[];
  readonly run: RunProgram;
  /** Whether a path is a regular file. */
  isFile(path: string): Promise<boolean>;
  readonly clock: Pick<Clock, 'sleep'>;
  /** The time in ms that a plugin may take. Two minutes if absent. */
  readonly timeout?: number;
}

/** The command for a plugin. */
export type Command = 'ADD' | 'CHECK' | 'DEL' | 'GC' | 'STATUS' | 'VERSION';

/** The path of a plugin (upstream: invoke.FindInPath). Rejects with an Error with libcni's message if the plugin does not exist. */
export async function findInPath(plugin: string, { path, isFile }: Invocation): Promise<string> {
  if (plugin === '') throw new Error('no plugin name provided');
  if (plugin.includes('/')) throw new Error(`invalid plugin name: ${plugin}`);
  if (path.length === 0) throw new Error('no paths provided');
  for (const folder of path) {
    const file = `${folder}/${plugin}`;
    if (await isFile(file)) return file;
  }
  throw new Error(`failed to find plugin "${plugin}" in path [${path.join(' ')}]`);
}

/** The environment variables of a plugin. Those of an attachment are empty for GC and STATUS. */
const environment = (command: Command, rt: RuntimeConf, path: string) =>
  [
    ['CNI_COMMAND', command],
    ['CNI_CONTAINERID', rt.containerId],
    ['CNI_NETNS', rt.netns],
    ['CNI_ARGS', (rt.args ?? []).map((pair) => pair.join('=')).join(';')],
    ['CNI_IFNAME', rt.ifName],
    ['CNI_PATH', path],
  ].map(([name = '', value = '']) => ({ name, value }));

/** The attachment for commands without one. */
export const NO_ATTACHMENT: RuntimeConf = { containerId: '', netns: '', ifName: '' };

/** Runs a plugin with its configuration and returns its output. Rejects with a CniError with the message of the plugin or of libcni. */
export async function execPlugin(
  invocation: Invocation,
  command: Command,
  plugin: PluginConfig,
  rt: RuntimeConf,
): Promise<Uint8Array> {
  const path = await findInPath(plugin.type, invocation);
  return run(invocation, {
    path,
    stdin: marshal(plugin.config),
    env: environment(command, rt, invocation.path.join(':')),
  });
}

interface Call {
  readonly path: string;
  readonly stdin: string;
  readonly env: ReturnType<typeof environment>;
}

async function run({ run: start, clock, timeout = TIMEOUT }: Invocation, call: Call): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    const end = await start({ ...call, args: [], timeout });
    if (end.failure === undefined) return end.stdout;
    if (!end.failure.includes('text file busy') || attempt === ATTEMPTS) throw pluginError(end);
    await clock.sleep(BUSY_WAIT);
  }
}

/** The error that a plugin prints, or one that describes how it exited (upstream: RawExec.pluginErr). */
function pluginError({ stdout, stderr, failure = '' }: ExecutionEnd): CniError {
  if (isCut(failure)) return new CniError(ERRORS.unknown, `netplugin failed: ${failure}`);
  if (stdout.length === 0)
    return new CniError(
      ERRORS.unknown,
      stderr === '' ? `netplugin failed with no error message: ${failure}` : `netplugin failed: ${quote(stderr)}`,
    );
  try {
    const raw = decodeMap(stdout);
    const [code, text, details] = [ownField(raw, 'code'), ownField(raw, 'msg') ?? '', ownField(raw, 'details') ?? ''];
    if (typeof text !== 'string' || typeof details !== 'string') throw new Error('msg and details are no texts');
    return new CniError(typeof code === 'number' ? code : ERRORS.unknown, text, details);
  } catch (error) {
    const shown = quote(Buffer.from(stdout.subarray(0, SHOWN)).toString());
    return new CniError(
      ERRORS.unknown,
      `netplugin failed but error parsing its diagnostic message ${shown}: ${messageOfError(error)}`,
    );
  }
}

/** The maximum length of an unreadable message in an error, in bytes. */
const SHOWN = 1024;
/** Whether the plugin was killed, so that its output is incomplete. */
const isCut = (failure: string): boolean => /deadline exceeded|output is longer/.test(failure);

/**
 * Parses a plugin's output for ADD. A result without a version gets that of the configuration (upstream: fixupResultVersion). Throws Error.
 */
export function pluginResult({ cniVersion }: PluginConfig, stdout: Uint8Array): AnyResult {
  let raw;
  try {
    raw = decodeMap(stdout);
  } catch (cause) {
    throw new Error(`failed to unmarshal raw result: ${messageOfError(cause)}`, { cause });
  }
  const told = ownField(raw, 'cniVersion');
  const version = typeof told === 'string' && told !== '' ? told : cniVersion === '' ? '0.1.0' : cniVersion;
  return createResult(version, Buffer.from(marshal({ ...raw, cniVersion: version })));
}

/** The versions that a plugin supports (upstream: GetVersionInfo). Rejects with CniError, and with Error if the output is invalid. */
export async function supportedVersions(invocation: Invocation, type: string): Promise<readonly string[]> {
  const path = await findInPath(type, invocation);
  const dummy = { containerId: '', netns: 'dummy', ifName: 'dummy' };
  const call = { path, stdin: `{"cniVersion":"${CURRENT}"}`, env: environment('VERSION', dummy, 'dummy') };
  let stdout;
  try {
    stdout = await run(invocation, call);
  } catch (error) {
    if (error instanceof CniError && error.message === 'unknown CNI_COMMAND: VERSION') return ['0.1.0'];
    throw error;
  }
  return versionsOf(stdout);
}

function versionsOf(stdout: Uint8Array): readonly string[] {
  let raw;
  try {
    raw = decodeMap(stdout);
  } catch (cause) {
    throw new Error(`decoding version info: ${messageOfError(cause)}`, { cause });
  }
  const version = ownField(raw, 'cniVersion');
  if (typeof version !== 'string' || version === '') throw new Error('decoding version info: missing field cniVersion');
  const several = ownField(raw, 'supportedVersions');
  const versions = (Array.isArray(several) ? several : []).filter((one) => typeof one === 'string');
  if (versions.length > 0) return versions;
  if (version === '0.2.0') return ['0.1.0', '0.2.0'];
  throw new Error('decoding version info: missing field supportedVersions');
}
