import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const APP = join(import.meta.dirname, 'app.ts');

/** Runs the app as CDK does. */
function synthesize(context: Readonly<Record<string, unknown>>) {
  const out = mkdtempSync(join(tmpdir(), 'davit-synth-'));
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: out };
  const { status, stderr } = spawnSync(process.execPath, [APP], { env, encoding: 'utf8' });
  return { status, stderr, files: readdirSync(out) };
}

test('reports a missing administrator in one line', () => {
  const { status, stderr, files } = synthesize({});
  expect(status).toBe(1);
  expect(stderr).toMatch(/^context admin is required: -c admin=…, which is the ARN of an IAM user or role.*\n$/);
  expect(files).toEqual([]);
});
