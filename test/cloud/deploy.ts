import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ADMIN } from '#test/support/lambda/sts.ts';

const ROOT = join(import.meta.dirname, '../..');
const CDKLOCAL = join(ROOT, 'node_modules/.bin/cdklocal');
const execute = promisify(execFile);

/**
 * Runs `cdk bootstrap` and `cdk deploy` with an assembly, without a change set. Resolves with the stack's outputs. deploy-page.test.ts runs
 * the commands of docs/deploy.md, which synthesize the app each time and need change sets.
 */
export async function deploy(assembly: string, endpoint: string): Promise<Readonly<Record<string, string>>> {
  const outputs = join(assembly, `outputs-${new URL(endpoint).port}.json`);
  await cdk(endpoint, ['bootstrap', 'aws://000000000000/us-east-1', '--app', assembly]);
  const how = ['--method', 'direct', '--require-approval', 'never', '--outputs-file', outputs];
  await cdk(endpoint, ['deploy', 'Davit', '--app', assembly, ...how]);
  return (JSON.parse(readFileSync(outputs, 'utf8')) as { Davit: Record<string, string> }).Davit;
}

/** Runs `cdk destroy` with an assembly. Resolves with its output. */
export const destroy = (endpoint: string, assembly: string): Promise<string> =>
  cdk(endpoint, ['destroy', '--force', '--app', assembly]);

/**
 * Runs `cdk destroy` as docs/deploy.md describes it: with the app, but without code and without the deployed assembly. Resolves with its
 * output.
 */
export async function destroyByApp(endpoint: string): Promise<string> {
  const output = mkdtempSync(join(tmpdir(), 'davit-cdk-'));
  try {
    return await cdk(endpoint, [
      'destroy',
      '--force',
      '-c',
      `admin=${ADMIN}`,
      '-c',
      'bundle=false',
      '--output',
      output,
    ]);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

async function cdk(endpoint: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, AWS_ENDPOINT_URL: endpoint, AWS_ENDPOINT_URL_S3: endpoint, CI: 'true' };
  const { stdout, stderr } = await execute(CDKLOCAL, [...args, '--no-notices'], { cwd: ROOT, env, timeout: 300_000 });
  return stdout + stderr;
}
