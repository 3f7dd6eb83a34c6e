import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const APP = join(import.meta.dirname, 'app.ts');

/** Runs the app as CDK does. */
function synthesize(context: Readonly<Record<string, unknown>>) {
  const out = mkdtempSync(join(tmpdir(), 'davit-synth-'));
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: out };
  const { status, stderr } = spawnSync(process.execPath, [APP], { env, encoding: 'utf8' });
  return { status, stderr, out, files: readdirSync(out) };
}

test('writes the template and the bundles with an administrator alone, and CDK accepts them', () => {
  const { status, stderr, files, out } = synthesize({ admin: 'arn:aws:iam::123456789012:role/Admin' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(files).toContain('Davit.template.json');
  const bundles = files.filter((file) => file.startsWith('asset.') && existsSync(join(out, file, 'index.js')));
  const { Resources } = JSON.parse(readFileSync(join(out, 'Davit.template.json'), 'utf8'));
  const functions = Object.values<{ Type: string }>(Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  expect(bundles).toHaveLength(functions.length);
});

test('reports a missing administrator in one line', () => {
  const { status, stderr, files } = synthesize({});
  expect(status).toBe(1);
  expect(stderr).toMatch(/^context admin is required: -c admin=…, which is the ARN of an IAM user or role.*\n$/);
  expect(files).toEqual([]);
});
