import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ADMIN } from '#test/lambda/sts.ts';

const ROOT = join(import.meta.dirname, '../..');
const CDKLOCAL = join(ROOT, 'node_modules/.bin/cdklocal');
const execute = promisify(execFile);

/** `cdk bootstrap`, as docs/deploy.md has it, and `cdk deploy` of an assembly. Resolves with the stack's outputs. */
export async function deploy(assembly: string, endpoint: string): Promise<Readonly<Record<string, string>>> {
  const outputs = join(assembly, `outputs-${new URL(endpoint).port}.json`);
  await byApp(endpoint, ['bootstrap', 'aws://000000000000/us-east-1']);
  await cdk(endpoint, ['deploy', 'Davit', '--app', assembly, '--require-approval', 'never', '--outputs-file', outputs]);
  return (JSON.parse(readFileSync(outputs, 'utf8')) as { Davit: Record<string, string> }).Davit;
}

/** `cdk destroy`, as docs/deploy.md has it: by the app, not by what was deployed. Resolves with what it said. */
export const destroy = (endpoint: string): Promise<string> => byApp(endpoint, ['destroy', '--force']);

/** A command that synthesizes the app itself, for which code is not needed. */
async function byApp(endpoint: string, args: readonly string[]): Promise<string> {
  const output = mkdtempSync(join(tmpdir(), 'davit-cdk-'));
  try {
    return await cdk(endpoint, [...args, '-c', `admin=${ADMIN}`, '-c', 'bundle=false', '--output', output]);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

async function cdk(endpoint: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, AWS_ENDPOINT_URL: endpoint, AWS_ENDPOINT_URL_S3: endpoint, CI: 'true' };
  const { stdout, stderr } = await execute(CDKLOCAL, [...args, '--no-notices'], { cwd: ROOT, env, timeout: 300_000 });
  return stdout + stderr;
}
