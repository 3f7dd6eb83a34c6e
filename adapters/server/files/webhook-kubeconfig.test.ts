import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webhookOf } from '#lib/server/options/webhook-kubeconfig.ts';
import { diskFiles } from './disk-files.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-webhook-'));
  await Promise.all([writeFile(join(folder, 'ca'), 'CA'), writeFile(join(folder, 'key'), 'KEY')]);
});
afterAll(() => rm(folder, { recursive: true }));

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const CONTEXT = 'current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]';
const CLUSTER = 'clusters: [{name: c, cluster: {server: "https://hook.example", certificate-authority: ca}}]';
const kubeconfig = (user: string): string => `${CLUSTER}\n${CONTEXT}\nusers: [{name: u, user: ${user}}]`;

test('reads files relative to the kubeconfig and prefers inline data', () => {
  const user = `{client-certificate: none, client-certificate-data: ${base64('CERT')}, client-key: key}`;
  expect(webhookOf(kubeconfig(user), diskFiles(folder))).toEqual({
    url: 'https://hook.example',
    caBundle: 'CA',
    credentials: { certificate: { certificate: 'CERT', key: 'KEY' } },
  });
});

test('reads a token file at every call and prefers it to a token', async () => {
  const file = join(folder, 'token');
  await writeFile(file, 'first\n');
  const { credentials } = webhookOf(kubeconfig('{token: fixed, tokenFile: token}'), diskFiles(folder));
  expect(await credentials?.token?.()).toBe('first');
  await writeFile(file, 'second\n');
  expect(await credentials?.token?.()).toBe('second');
});

test('uses the token in the kubeconfig', async () => {
  expect(await webhookOf(kubeconfig('{token: fixed}'), diskFiles(folder)).credentials?.token?.()).toBe('fixed');
});

test('accepts a kubeconfig without credentials', () => {
  expect(webhookOf(kubeconfig('{}'), diskFiles(folder))).toEqual({ url: 'https://hook.example', caBundle: 'CA' });
});

test.each([
  ['a certificate without its key', `{client-certificate-data: ${base64('CERT')}}`, 'belong together'],
  ['a program to run', '{exec: {command: rm}}', 'exec'],
  ['a password', '{username: a, password: b}', 'username'],
])('rejects %s', (_, user, message) => {
  expect(() => webhookOf(kubeconfig(user), diskFiles(folder))).toThrow(message);
});
