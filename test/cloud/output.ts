import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInstalled } from '#lib/machinery/package-name.ts';
import { credentials, region } from '#test/support/ministack/start.ts';

const DAVIT = runInstalled('davit');
const BIN = join(import.meta.dirname, '../../bin/davit.mjs');

type Outputs = Readonly<Record<string, string>>;

/** The words after `davit` in an output that is a command. Throws if no output has this name prefix. */
export function wordsOf(outputs: Outputs, prefix: string): readonly string[] {
  const named = outputs[prefix] ?? Object.entries(outputs).find(([name]) => name.startsWith(prefix))?.[1];
  const [program, words] = named?.split(`${DAVIT} `) ?? [];
  if (program !== '' || words === undefined)
    throw new Error(`no command ${prefix} among ${Object.keys(outputs).join()}`);
  return words.split(' ');
}

/** Runs the command in an output of the deployment with additional arguments, as a user who copies it would. */
export function runOutput(
  { endpoint, outputs }: { readonly endpoint: string; readonly outputs: Outputs },
  name: string,
  more: readonly string[],
): Promise<{ stdout: string; stderr: string }> {
  return runDavit(endpoint, [...wordsOf(outputs, name), ...more]);
}

/** The usual environment for an account, which here is the emulator's. */
export const accountOf = (endpoint: string) => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_EC2_METADATA_DISABLED: 'true',
});

/** Runs `davit` in the usual environment for an account, which here is the emulator's. */
export function runDavit(endpoint: string, words: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], ...accountOf(endpoint) };
  return promisify(execFile)(process.execPath, [BIN, ...words], { env, timeout: 60_000 });
}
