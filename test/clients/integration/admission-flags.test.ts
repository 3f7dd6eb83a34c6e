import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdmissionFlags } from '#lib/server/options/admission.ts';
import { admissionFlags, admissionOf } from '#local/flags/admission.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-admission-'));
});
afterAll(() => rm(folder, { recursive: true }));

const parsed = (...args: string[]): AdmissionFlags =>
  admissionFlags(new Command()).parse(args, { from: 'user' }).opts<AdmissionFlags>();

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

test('reads names from lists and from repeated flags', async () => {
  const flags = parsed(
    '--enable-admission-plugins=NodeRestriction,AlwaysPullImages',
    '--enable-admission-plugins=EventRateLimit',
  );
  expect((await admissionOf(flags)).admission?.plugins).toEqual({
    enable: ['NodeRestriction', 'AlwaysPullImages', 'EventRateLimit'],
    disable: [],
  });
});

test('rejects an unknown plugin', async () => {
  await expect(admissionOf(parsed('--disable-admission-plugins=LimitRange'))).rejects.toThrow(
    'disable-admission-plugins plugin "LimitRange" is unknown',
  );
});

test('reads a configuration from the file or from one that it names', async () => {
  await file('limits.yaml', 'limits: [{ type: Server, qps: 1, burst: 2 }]');
  const path = await file(
    'admission.yaml',
    `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodSecurity
  configuration: { defaults: { enforce: baseline } }
- name: EventRateLimit
  path: limits.yaml
`,
  );
  const { admission } = await admissionOf(parsed('--admission-control-config-file', path));
  expect(admission?.configuration.podSecurity.defaults.enforce).toEqual({ level: 'baseline', version: 'latest' });
  expect(admission?.configuration.eventLimits).toEqual([{ type: 'Server', qps: 1, burst: 2, cacheSize: 4096 }]);
});

test.each([
  ['kind: X', 'holds no AdmissionConfiguration of apiserver.config.k8s.io/v1'],
  ['[]', 'holds no object'],
  [
    'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: [{ name: PodSecurity, configuration: { defaults: { warn: x } } }]',
    'PodSecurity: defaults.warn: Invalid value: "x": must be one of privileged, baseline, restricted',
  ],
])('rejects an invalid file: %s', async (text, fault) => {
  const path = await file('wrong.yaml', text);
  await expect(admissionOf(parsed('--admission-control-config-file', path))).rejects.toThrow(fault);
});

test('ImagePolicyWebhook calls the server of its kubeconfig, and needs one', async () => {
  const kubeconfig = await file(
    'images.kubeconfig',
    'clusters: [{ name: c, cluster: { server: "https://images.example.com/policy" } }]',
  );
  const path = await file(
    'images.yaml',
    `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins: [{ name: ImagePolicyWebhook, configuration: { imagePolicy: { kubeConfigFile: ${kubeconfig} } } }]
`,
  );
  const enabled = '--enable-admission-plugins=ImagePolicyWebhook';
  const { admission } = await admissionOf(parsed(enabled, '--admission-control-config-file', path));
  expect(admission?.configuration.imagePolicy?.backend.url).toBe('https://images.example.com/policy');
  await expect(admissionOf(parsed(enabled))).rejects.toThrow(
    'couldn\'t init admission plugin "ImagePolicyWebhook": no config specified',
  );
});
