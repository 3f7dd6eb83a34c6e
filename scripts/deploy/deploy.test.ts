import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readArguments } from './arguments.ts';
import { quotaFault } from './quota.ts';
import { NO_REGION, regionOf } from './region.ts';

const admin = 'arn:aws:iam::123456789012:role/a=b';

test.each([
  [[], {}, undefined],
  [['-c', `admin=${admin}`, '--context', 'stage=development'], { admin, stage: 'development' }, undefined],
  [[`--context=admin=${admin}`, '--profile=blue'], { admin }, 'blue'],
  [['--profile', 'blue', '--require-approval', 'never', '-c', 'alarms'], { alarms: '' }, 'blue'],
  [['-c'], {}, undefined],
])('reads the arguments %j', (args, context, profile) => {
  expect(readArguments(args)).toEqual({ context, profile });
});

describe('the quota of an account', () => {
  test.each([
    [1000, 100],
    [200, 100],
    [110, 10],
  ])('stacks with %i functions may reserve %i', (all, wanted) => {
    expect(quotaFault({ all }, wanted)).toBeUndefined();
  });

  test.each([
    [199, 100, 'What helps: -c reservedConcurrency=99, or a larger quota'],
    [109, 10, 'What helps: a larger quota'],
    [10, 100, 'What helps: a larger quota'],
  ])('rejects with %i functions a reservation of %i, in one line', (all, wanted, remedy) => {
    const fault = quotaFault({ all }, wanted);
    expect(fault).toContain(`may run ${all} functions at once in this region`);
    expect(fault).toContain(remedy);
    expect(fault).not.toContain('\n');
  });
});

describe('the region of a deployment', () => {
  const none = () => Promise.reject(new Error('Region is missing'));

  test.each([
    [{ AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'us-east-1' }, 'eu-west-1'],
    [{ AWS_REGION: '', AWS_DEFAULT_REGION: 'us-east-1' }, 'us-east-1'],
    [{}, undefined],
  ])('is for %j the region %s', async (env, region) => {
    expect(await regionOf(env, none)).toBe(region);
  });

  test('is that of the profile, if no variable names one', async () => {
    expect(await regionOf({}, async () => 'eu-central-1')).toBe('eu-central-1');
  });
});

describe('npm run deploy', () => {
  const home = mkdtempSync(join(tmpdir(), 'davit-home-'));
  afterAll(() => rmSync(home, { recursive: true }));
  const program = join(import.meta.dirname, '../deploy.ts');

  /** Deploys as a user without any AWS settings. */
  const deploy = (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const own = { PATH: process.env['PATH'], HOME: home, AWS_EC2_METADATA_DISABLED: 'true', ...env };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { env: own, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  test('prints one line and exits with 1 without a region, before anything else', () => {
    expect(deploy({})).toEqual({ status: 1, stdout: '', stderr: `${NO_REGION}\n` });
    expect(deploy({}, '--profile', 'blue', '-c', `admin=${admin}`).stderr).toBe(`${NO_REGION}\n`);
  });

  test('prints one line and exits with 1 without credentials', () => {
    const { status, stderr } = deploy({ AWS_REGION: 'eu-west-1' }, '-c', `admin=${admin}`);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^the account does not tell its quota of functions .*credentials.*\n$/);
  });
});
