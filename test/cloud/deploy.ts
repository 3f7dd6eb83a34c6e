import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CDKLOCAL = join(import.meta.dirname, '../../node_modules/.bin/cdklocal');
const execute = promisify(execFile);

/** Deploys an assembly to an emulator, as `cdk bootstrap` and `cdk deploy` do. Resolves with the stack's outputs. */
export async function deploy(assembly: string, endpoint: string): Promise<Readonly<Record<string, string>>> {
  const outputs = join(assembly, `outputs-${new URL(endpoint).port}.json`);
  await cdk(endpoint, ['bootstrap', 'aws://000000000000/us-east-1', '--app', assembly]);
  await cdk(endpoint, ['deploy', 'Davit', '--app', assembly, '--require-approval', 'never', '--outputs-file', outputs]);
  return (JSON.parse(readFileSync(outputs, 'utf8')) as { Davit: Record<string, string> }).Davit;
}

async function cdk(endpoint: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, AWS_ENDPOINT_URL: endpoint, AWS_ENDPOINT_URL_S3: endpoint, CI: 'true' };
  await execute(CDKLOCAL, [...args, '--no-notices', '--progress', 'events'], { env, timeout: 300_000 });
}
