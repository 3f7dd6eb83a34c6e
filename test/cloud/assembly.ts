import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cached, pathOf } from '#test/support/clients/cache.ts';
import { ADMIN } from '#test/support/lambda/sts.ts';

const APP = join(import.meta.dirname, '../../infra/app.ts');
/** The settings that differ between stacks. */
export interface Deployed {
  readonly frontDoor: 'function-url' | 'rest';
  readonly functions?: string;
  readonly nodes?: true;
  readonly metricsApi?: true;
  /** Default development. */
  readonly stage?: 'production';
}

/** A file with a reconciler `sites` and a webhook `titles`, as users write them. */
export const FUNCTIONS = join(import.meta.dirname, '../support/fixtures/functions');
/** Webhooks that review tokens, access and images. */
export const REVIEWS = join(import.meta.dirname, '../support/fixtures/reviews');
export const CLUSTER_ID = 'test';

/**
 * Writes the stack with its bundles for emulators, as `cdk synth` does. The functions run on aws-lambda-ric at `runtime` with the Node.js
 * of this process, because the runtimes of emulators do not support response streams. Resolves with the folder.
 */
export async function synthesize(folder: string, runtime: string, deployed: Deployed): Promise<string> {
  const bootstrap = join(folder, 'bootstrap');
  writeFileSync(bootstrap, `#!/bin/sh\nexec '${process.execPath}' '${runtime}'\n`);
  chmodSync(bootstrap, 0o755);
  const out = join(folder, 'cdk.out');
  mkdirSync(out);
  const context = {
    admin: ADMIN,
    clusterId: CLUSTER_ID,
    stage: 'development',
    runtime: 'provided',
    bootstrap,
    reservedConcurrency: 10,
    // ministack does not support alarms on sums of metrics.
    alarms: false,
    ...deployed,
  };
  const env = { ...process.env, CDK_OUTDIR: out, CDK_CONTEXT_JSON: JSON.stringify(context) };
  await promisify(execFile)(process.execPath, [APP], { env, timeout: 180_000 });
  buffer(join(out, 'Davit.template.json'));
  return out;
}

/** Runs `synthesize` once per run for all files with the same settings. The files must not change. */
export async function sharedAssembly(runtime: string, deployed: Deployed): Promise<string> {
  const name = createHash('sha256').update(JSON.stringify(deployed)).digest('hex').slice(0, 12);
  const write = async (folder: string): Promise<void> => void (await synthesize(folder, runtime, deployed));
  return join(pathOf(await cached(`assembly-${name}`, write, tmpdir())), 'cdk.out');
}

/** Emulators' gateways do not support streams. They find no function in the path for streamed invocations. */
function buffer(template: string): void {
  const text = readFileSync(template, 'utf8');
  const named = text.replaceAll('/response-streaming-invocations', '/invocations');
  writeFileSync(template, named.replaceAll('"ResponseTransferMode": "STREAM"', '"ResponseTransferMode": "BUFFERED"'));
}
