import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ADMIN } from '#test/lambda/sts.ts';

const ROOT = join(import.meta.dirname, '../..');
const CDKLOCAL = join(ROOT, 'node_modules/.bin/cdklocal');
const execute = promisify(execFile);

/** Deploys an assembly to an emulator, as `cdk bootstrap` and `cdk deploy` do. Resolves with the stack's outputs. */
export async function deploy(assembly: string, endpoint: string): Promise<Readonly<Record<string, string>>> {
  const outputs = join(assembly, `outputs-${new URL(endpoint).port}.json`);
  await cdk(endpoint, ['bootstrap', 'aws://000000000000/us-east-1', '--app', assembly]);
  await cdk(endpoint, ['deploy', 'Davit', '--app', assembly, '--require-approval', 'never', '--outputs-file', outputs]);
  return (JSON.parse(readFileSync(outputs, 'utf8')) as { Davit: Record<string, string> }).Davit;
}

/** `cdk destroy`, as docs/deploy.md has it: by the app, not by what was deployed. Resolves with what it said. */
export async function destroy(endpoint: string): Promise<string> {
  const output = mkdtempSync(join(tmpdir(), 'davit-destroy-'));
  try {
    const context = ['-c', `admin=${ADMIN}`, '-c', 'bundle=false'];
    return await cdk(endpoint, ['destroy', ...context, '--force', '--output', output]);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

async function cdk(endpoint: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, AWS_ENDPOINT_URL: endpoint, AWS_ENDPOINT_URL_S3: endpoint, CI: 'true' };
  const { stdout, stderr } = await execute(CDKLOCAL, [...args, '--no-notices'], { cwd: ROOT, env, timeout: 300_000 });
  return stdout + stderr;
}
